/**
 * Writes a ChatRequest as the body of POST /v1/responses.
 * https://platform.openai.com/docs/api-reference/responses (read 2026-11)
 */
import { effortFor, isReasoningModel, traitsOf } from '../../models/traits.ts'
import type { Json } from '../../pure/json.ts'
import {
  type ChatRequest,
  type FunctionTool,
  type HostedTool,
  hostedName,
  type OutputFormat,
  type Tool,
  type ToolChoice,
} from '../canonical/chat.ts'
import { type SearchScope, writePlace } from '../canonical/search-scope.ts'
import { objectOf } from '../json/lenient-json.ts'
import { logprobsFor, ownFields, SCHEMA_NAME, samplingFor, strictness, userFor } from '../openai-shared.ts'
import { ENCRYPTED, LOGPROBS } from './read-request.ts'
import type {
  ResponsesBody,
  ResponsesChosenTool,
  ResponsesFunction,
  ResponsesHosted,
  ResponsesOutput,
  ResponsesReasoning,
  ResponsesSettings,
  ResponsesTool,
  ResponsesToolChoice,
} from './wire.ts'
import { writeItems } from './write-items.ts'

/** Smallest `max_output_tokens` that the API accepts. */
const OUTPUT_MIN = 16

export const writeRequest = (request: ChatRequest): ResponsesBody => ({
  ...writeSettings(request),
  input: writeItems(request.messages),
})

/** The body without `input`; a response repeats these settings. */
export function writeSettings(request: ChatRequest): ResponsesSettings {
  const { model, system, max_output, tools } = request
  const { temperature, top_p } = samplingFor(request)
  const own = ownFields(request, 'openai-responses')
  const written = tools.flatMap(writeTool)
  return {
    ...writeDefaults(request),
    ...own,
    model,
    instructions: system.length ? system.map(({ text }) => text).join('\n') : undefined,
    stream: request.stream || undefined,
    max_output_tokens: max_output && Math.max(max_output, OUTPUT_MIN),
    temperature,
    top_p,
    top_logprobs: logprobsFor(request) || undefined,
    ...(written.length ? writeToolFields(written, request) : undefined),
    reasoning: writeReasoning(request, objectOf((own as OwnFields).reasoning)),
    text: writeText(request),
    user: userFor(request.user),
    ...writeInclude(request, own),
  }
}

/** Fields of the client's own request that are read here. */
type OwnFields = { reasoning?: unknown; include?: unknown }

const writeToolFields = (written: ResponsesTool[], request: ChatRequest): Partial<ResponsesSettings> => ({
  tools: written,
  tool_choice: writeToolChoice(request.tool_choice, request.tools),
  parallel_tool_calls: request.parallel_tools,
})

/** Clients of other formats do not expect OpenAI to store their responses, which is its default. */
const writeDefaults = ({ extra }: ChatRequest): Pick<ResponsesSettings, 'store'> =>
  extra['openai-responses'] ? {} : { store: false }

/** Unstored reasoning can be sent back only with its encrypted content, which must be requested. */
function writeInclude(request: ChatRequest, { include = [] }: OwnFields): Pick<ResponsesSettings, 'include'> {
  const { extra, model } = request
  const isTranslated = !extra['openai-responses'] && isReasoningModel(model)
  const items = [
    ...(Array.isArray(include) ? include : []),
    ...(logprobsFor(request) === undefined ? [] : [LOGPROBS]),
    ...(isTranslated ? [ENCRYPTED] : []),
  ]
  return items.length ? { include: items } : {}
}

/** The least effort takes no searches. https://platform.openai.com/docs/guides/tools-web-search (read 2026-11) */
function writeReasoning(
  { reasoning, model, tools }: ChatRequest,
  own: ResponsesReasoning,
): ResponsesReasoning | undefined {
  const nearest = effortFor(model, reasoning)
  const searches = tools.some(tool => tool.kind === 'hosted' && tool.offer === 'web_search')
  const effort = nearest === 'minimal' && searches ? 'low' : nearest
  const summary = reasoning?.show && traitsOf(model, 'openai').thinking ? 'auto' : undefined
  return effort || summary ? { effort, summary, ...own } : undefined
}

function writeText({ output, verbosity }: ChatRequest): ResponsesSettings['text'] {
  const format = output && writeOutput(output)
  return format || verbosity ? { format, verbosity } : undefined
}

function writeOutput(output: OutputFormat): ResponsesOutput {
  switch (output.kind) {
    case 'text':
      return { type: 'text' }
    case 'json':
      return { type: 'json_object' }
    case 'schema': {
      const { name = SCHEMA_NAME, description, schema, strict } = output
      return { type: 'json_schema', name, description, schema, strict: strictness(strict, schema) }
    }
  }
}

function writeTool(tool: Tool): ResponsesTool[] {
  switch (tool.kind) {
    case 'function':
      return [writeFunction(tool)]
    case 'hosted':
      return writeHosted(tool)
  }
}

/** A function without `strict` is strict in this format. */
const writeFunction = ({ name, description, parameters, strict }: FunctionTool): ResponsesFunction => ({
  type: 'function',
  name,
  description,
  parameters: parameters ?? { type: 'object', properties: {} },
  strict,
})

function writeHosted({ offer, format, value, scope }: HostedTool): ResponsesHosted[] {
  if (format === 'openai-responses') return [value as ResponsesHosted]
  if (offer === 'code_execution') return [{ type: 'code_interpreter', container: { type: 'auto' } }]
  return offer === 'web_search' ? [writeSearch(scope)] : []
}

/** https://platform.openai.com/docs/guides/tools-web-search (read 2026-11) */
function writeHostedChoice(tool: HostedTool): ResponsesChosenTool {
  const { type, server_label }: Json = writeHosted(tool)[0] ?? {}
  return { type: String(type), server_label }
}

const writeSearch = ({ only, depth, place }: SearchScope = {}): ResponsesHosted => ({
  type: 'web_search',
  filters: only && { allowed_domains: only },
  search_context_size: depth,
  user_location: writePlace(place),
})

function writeToolChoice(choice: ToolChoice | undefined, tools: Tool[]): ResponsesToolChoice | undefined {
  if (!choice) return undefined
  const hosted = tools.filter(tool => tool.kind === 'hosted')
  switch (choice.kind) {
    case 'tool': {
      const [chosen] = choice.is_hosted ? hosted.filter(tool => hostedName(tool) === choice.name) : []
      return chosen ? writeHostedChoice(chosen) : { type: 'function', name: choice.name }
    }
    case 'allowed': {
      const named = choice.names.map((name): ResponsesChosenTool => ({ type: 'function', name }))
      const allowed = hosted.filter(tool => choice.hosted?.includes(hostedName(tool)) ?? true)
      const mode = choice.required ? 'required' : 'auto'
      return { type: 'allowed_tools', mode, tools: [...named, ...allowed.map(writeHostedChoice)] }
    }
    default:
      return choice.kind
  }
}
