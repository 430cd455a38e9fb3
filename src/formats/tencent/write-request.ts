/** Writes a ChatRequest as the body of ChatCompletions. https://cloud.tencent.com/document/product/1729/105701 (read 2026-11) */
import { isOff } from '../../models/effort.ts'
import type { Json } from '../../pure/json.ts'
import { alternating, instructionsOf, PLACEHOLDER } from '../canonical/alternating.ts'
import type { ChatRequest, FunctionTool, Sampling, Tool, ToolChoice } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf } from '../json/lenient-json.ts'
import { writeMessages as writeOpenAiMessages } from '../openai-chat/write-messages.ts'

export function writeRequest(request: ChatRequest): Json {
  const { model, stream, sampling, stop, tools, reasoning } = request
  const functions = tools.filter((tool): tool is FunctionTool => tool.kind === 'function')
  return {
    Model: model,
    Messages: writeMessages(request),
    Stream: stream,
    ...writeSampling(sampling),
    Stop: stop.length ? stop : undefined,
    ...(functions.length && { Tools: functions.map(writeTool), ...writeToolChoice(request.tool_choice, functions) }),
    EnableEnhancement: tools.some(isSearch) ? true : undefined,
    EnableThinking: reasoning && !isOff(reasoning),
  }
}

const isSearch = (tool: Tool) => tool.kind === 'hosted' && tool.offer === 'web_search'

const [TEMPERATURE_MAX, TOP_P_MAX] = [2, 1]

const writeSampling = ({ temperature, top_p, seed }: Sampling): Json => ({
  Temperature: temperature === undefined ? undefined : Math.min(temperature, TEMPERATURE_MAX),
  TopP: top_p === undefined ? undefined : Math.min(top_p, TOP_P_MAX),
  Seed: seed,
})

function writeMessages(request: ChatRequest): Json[] {
  const system = instructionsOf(request, true)
  const messages = writeOpenAiMessages({ ...request, messages: alternating(request.messages) }).map(writeMessage)
  return system ? [{ Role: 'system', Content: system }, ...messages] : messages
}

/** @param message of OpenAI */
function writeMessage({ role, content, tool_call_id, tool_calls }: Json): Json {
  const calls = objectsOf(tool_calls)
  return {
    Role: role,
    ...writeContent(content, calls.length > 0),
    ToolCallId: tool_call_id,
    ToolCalls: calls.length ? calls.map(writeCall) : undefined,
  }
}

const writeContent = (content: unknown, hasCalls: boolean): Json =>
  Array.isArray(content)
    ? { Contents: objectsOf(content).flatMap(writePart) }
    : { Content: content || (hasCalls ? '' : PLACEHOLDER) }

function writePart({ type, text, image_url }: Json): Json[] {
  if (type === 'text') return [{ Type: 'text', Text: text }]
  return isObject(image_url) ? [{ Type: 'image_url', ImageUrl: { Url: image_url.url } }] : []
}

function writeCall(call: Json, index: number): Json {
  const { name, arguments: text } = objectOf(call.function)
  return { Id: call.id, Type: 'function', Function: { Name: name, Arguments: text }, Index: index }
}

/** The schema is a text. */
const writeTool = ({ name, description, parameters = { type: 'object', properties: {} } }: FunctionTool): Json => ({
  Type: 'function',
  Function: { Name: name, Parameters: JSON.stringify(parameters), Description: description },
})

/** `custom` forces a call of the one tool that `CustomTool` repeats. */
function writeToolChoice(choice: ToolChoice | undefined, tools: FunctionTool[]): Json {
  if (choice?.kind === 'none') return { ToolChoice: 'none' }
  const [first] = choice?.kind === 'tool' ? tools.filter(({ name }) => name === choice.name) : tools
  const isForced = choice?.kind === 'tool' || (choice?.kind === 'required' && tools.length === 1)
  if (isForced && first) return { ToolChoice: 'custom', CustomTool: writeTool(first) }
  return choice ? { ToolChoice: 'auto' } : {}
}
