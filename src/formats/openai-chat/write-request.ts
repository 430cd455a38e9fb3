/**
 * Writes a ChatRequest as the body of POST /v1/chat/completions.
 * https://platform.openai.com/docs/api-reference/chat (read 2026-11)
 */
import { effortFor, isReasoningModel, traitsOf } from '../../models/traits.ts'
import { PLACEHOLDER } from '../canonical/alternating.ts'
import type { ChatRequest, OutputFormat, Tool, ToolChoice } from '../canonical/chat.ts'
import { writePlace } from '../canonical/search-scope.ts'
import { logprobsFor, ownFields, SCHEMA_NAME, samplingFor, strictness, userFor } from '../openai-shared.ts'
import { onlyAllowedTools } from '../translate/features.ts'
import type {
  OpenAiChatBody,
  OpenAiMessage,
  OpenAiNamedTool,
  OpenAiOutput,
  OpenAiSearch,
  OpenAiTool,
  OpenAiToolChoice,
} from './wire.ts'
import { writeMessages } from './write-messages.ts'

export function writeRequest(original: ChatRequest): OpenAiChatBody {
  const request = traitsOf(original.model, 'openai').is_own ? original : onlyAllowedTools(original)
  const { model, stream, stop, reasoning, tools } = request
  const functions = tools.flatMap(writeTool)
  const logprobs = logprobsFor(request)
  const messages = [...writeSystem(request), ...writeMessages(request)]
  return {
    ...ownFields(request, 'openai-chat'),
    model,
    messages: messages.length ? messages : [{ role: 'user', content: PLACEHOLDER }],
    stream: stream || undefined,
    stream_options: stream && request.wants_usage ? { include_usage: true } : undefined,
    ...writeLimit(request),
    ...samplingFor(request),
    stop: stop.length ? stop : undefined,
    n: request.choices,
    logprobs: logprobs === undefined ? undefined : true,
    top_logprobs: logprobs || undefined,
    ...(functions.length ? writeToolFields(functions, request) : undefined),
    web_search_options: writeSearch(tools),
    reasoning_effort: effortFor(model, reasoning),
    response_format: writeOutput(request.output),
    verbosity: request.verbosity,
    ...writeModalities(request),
    user: userFor(request.user),
  }
}

const writeToolFields = (
  tools: OpenAiTool[],
  { tool_choice, parallel_tools }: ChatRequest,
): Partial<OpenAiChatBody> => ({
  tools,
  tool_choice: writeToolChoice(tool_choice),
  parallel_tool_calls: parallel_tools,
})

function writeSystem({ system, model }: ChatRequest): OpenAiMessage[] {
  if (!system.length) return []
  const role = isReasoningModel(model) ? 'developer' : 'system'
  return [{ role, content: system.map(({ text }) => text).join('\n') }]
}

/** Reasoning models require `max_completion_tokens`; other models and servers know `max_tokens`. */
const writeLimit = ({ model, max_output }: ChatRequest): Partial<OpenAiChatBody> =>
  isReasoningModel(model) ? { max_completion_tokens: max_output } : { max_tokens: max_output }

/** OpenAI's chat models write no images. Audio output requires a voice. */
function writeModalities({ modalities = [], model, stream, extra }: ChatRequest): Partial<OpenAiChatBody> {
  if (modalities.includes('audio')) {
    const audio = extra['openai-chat']?.audio ?? { voice: 'alloy', format: stream ? 'pcm16' : 'wav' }
    return { modalities: ['text', 'audio'], audio }
  }
  return modalities.includes('image') && !traitsOf(model, 'openai').is_own ? { modalities } : {}
}

function writeTool(tool: Tool): OpenAiTool[] {
  switch (tool.kind) {
    case 'function': {
      const { name, description, parameters, strict } = tool
      return [{ type: 'function', function: { name, description, parameters, strict: strictness(strict, parameters) } }]
    }
    case 'hosted':
      return tool.format === 'openai-chat' && !tool.offer ? [tool.value as OpenAiTool] : []
  }
}

function writeSearch(tools: Tool[]): OpenAiSearch | undefined {
  const search = tools.find(tool => tool.kind === 'hosted' && tool.offer === 'web_search')
  if (search?.kind !== 'hosted') return undefined
  if (search.format === 'openai-chat') return search.value.web_search_options as OpenAiSearch
  const { depth, place } = search.scope ?? {}
  return {
    search_context_size: depth,
    user_location: place && writePlace(place) && { type: 'approximate', approximate: place },
  }
}

function writeToolChoice(choice: ToolChoice | undefined): OpenAiToolChoice | undefined {
  if (!choice) return undefined
  switch (choice.kind) {
    case 'tool':
      return { type: 'function', function: { name: choice.name } }
    case 'allowed': {
      const tools = choice.names.map((name): OpenAiNamedTool => ({ type: 'function', function: { name } }))
      return { type: 'allowed_tools', allowed_tools: { mode: choice.required ? 'required' : 'auto', tools } }
    }
    default:
      return choice.kind
  }
}

function writeOutput(output: OutputFormat | undefined): OpenAiOutput | undefined {
  if (!output) return undefined
  switch (output.kind) {
    case 'text':
      return { type: 'text' }
    case 'json':
      return { type: 'json_object' }
    case 'schema': {
      const { name = SCHEMA_NAME, description, schema, strict } = output
      return { type: 'json_schema', json_schema: { name, description, schema, strict: strictness(strict, schema) } }
    }
  }
}
