/** Writes a ChatRequest as the body of ChatCompletions. https://cloud.tencent.com/document/product/1729/105701 (read 2026-11) */
import { isOff } from '../../models/effort.ts'
import { alternating, instructionsOf, PLACEHOLDER } from '../canonical/alternating.ts'
import type { ChatRequest, FunctionTool, Sampling, Tool, ToolChoice } from '../canonical/chat.ts'
import type { OpenAiCall, OpenAiMessage, OpenAiPart } from '../openai-chat/wire.ts'
import { writeMessages as writeOpenAiMessages } from '../openai-chat/write-messages.ts'
import type { HunyuanBody, HunyuanCall, HunyuanContent, HunyuanMessage, HunyuanTool } from './wire.ts'

export function writeRequest(request: ChatRequest): HunyuanBody {
  const { model, stream, sampling, stop, tools, reasoning } = request
  const functions = tools.filter((tool): tool is FunctionTool => tool.kind === 'function')
  return {
    Model: model,
    Messages: writeMessages(request),
    Stream: stream,
    ...writeSampling(sampling),
    Stop: stop.length ? stop : undefined,
    Tools: functions.length ? functions.map(writeTool) : undefined,
    ...(functions.length ? writeToolChoice(request.tool_choice, functions) : undefined),
    EnableEnhancement: tools.some(isSearch) ? true : undefined,
    EnableThinking: reasoning && !isOff(reasoning),
  }
}

const isSearch = (tool: Tool) => tool.kind === 'hosted' && tool.offer === 'web_search'

const [TEMPERATURE_MAX, TOP_P_MAX] = [2, 1]

const writeSampling = ({ temperature, top_p, seed }: Sampling): Partial<HunyuanBody> => ({
  Temperature: temperature === undefined ? undefined : Math.min(temperature, TEMPERATURE_MAX),
  TopP: top_p === undefined ? undefined : Math.min(top_p, TOP_P_MAX),
  Seed: seed,
})

function writeMessages(request: ChatRequest): HunyuanMessage[] {
  const system = instructionsOf(request, true)
  const messages = writeOpenAiMessages({ ...request, messages: alternating(request.messages) }).map(writeMessage)
  return system ? [{ Role: 'system', Content: system }, ...messages] : messages
}

function writeMessage({ role, content, tool_call_id, tool_calls = [] }: OpenAiMessage): HunyuanMessage {
  return {
    Role: role,
    ...writeContent(content, tool_calls.length > 0),
    ToolCallId: tool_call_id,
    ToolCalls: tool_calls.length ? tool_calls.flatMap(writeCall) : undefined,
  }
}

const writeContent = (
  content: OpenAiMessage['content'],
  hasCalls: boolean,
): Pick<HunyuanMessage, 'Content' | 'Contents'> =>
  Array.isArray(content)
    ? { Contents: content.flatMap(writePart) }
    : { Content: content || (hasCalls ? '' : PLACEHOLDER) }

function writePart(part: OpenAiPart): HunyuanContent[] {
  if (part.type === 'text') return [{ Type: 'text', Text: part.text }]
  return part.type === 'image_url' ? [{ Type: 'image_url', ImageUrl: { Url: part.image_url.url } }] : []
}

function writeCall(call: OpenAiCall, index: number): HunyuanCall[] {
  if (call.type === 'custom') return []
  const { name, arguments: text } = call.function
  return [{ Id: call.id, Type: 'function', Function: { Name: name, Arguments: text }, Index: index }]
}

/** The schema is a text. */
const writeTool = ({
  name,
  description,
  parameters = { type: 'object', properties: {} },
}: FunctionTool): HunyuanTool => ({
  Type: 'function',
  Function: { Name: name, Parameters: JSON.stringify(parameters), Description: description },
})

/** `custom` forces a call of the one tool that `CustomTool` repeats. */
function writeToolChoice(choice: ToolChoice | undefined, tools: FunctionTool[]): Partial<HunyuanBody> {
  if (choice?.kind === 'none') return { ToolChoice: 'none' }
  const [first] = choice?.kind === 'tool' ? tools.filter(({ name }) => name === choice.name) : tools
  const isForced = choice?.kind === 'tool' || (choice?.kind === 'required' && tools.length === 1)
  if (isForced && first) return { ToolChoice: 'custom', CustomTool: writeTool(first) }
  return choice ? { ToolChoice: 'auto' } : {}
}
