/**
 * Reads the body of POST /v1/chat/completions into a ChatRequest.
 * https://platform.openai.com/docs/api-reference/chat (read 2026-11)
 */
import { type Effort, efforts } from '../../models/effort.ts'
import type { Json } from '../../pure/json.ts'
import type { ChatRequest, OutputFormat, Reasoning, TextPart, Tool, ToolChoice } from '../canonical/chat.ts'
import { conversationIn } from '../canonical/conversation.ts'
import { modalities } from '../canonical/modalities.ts'
import { readPlace, type SearchScope } from '../canonical/search-scope.ts'
import { CHOICES_LIMIT, type Flaw } from '../json/checks.ts'
import { type Field, reading } from '../json/strict-json.ts'
import { readSampling } from '../openai-shared.ts'
import { readCustomTool } from '../translate/custom-tools.ts'
import { readMessages } from './read-messages.ts'

export const readRequest = (body: Json): ChatRequest | Flaw => reading(body, request)

const knownFields = [
  ...['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens', 'temperature', 'top_p'],
  ...['top_k', 'seed', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'logprobs', 'top_logprobs', 'n', 'stop'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'functions', 'function_call', 'response_format', 'user'],
  ...['reasoning_effort', 'reasoning', 'verbosity', 'web_search_options', 'modalities'],
]

function request(body: Field): ChatRequest {
  const messages = readMessages(body.at('messages').list())
  const first = messages.findIndex(message => message.role !== 'system')
  const lead = first < 0 ? messages.length : first
  const extra = body.without(knownFields)
  return {
    model: body.at('model').model(),
    stream: body.find('stream')?.flag() ?? false,
    wants_usage: body.find('stream_options')?.find('include_usage')?.flag() ?? false,
    system: messages
      .slice(0, lead)
      .flatMap(({ parts }) => parts.filter((part): part is TextPart => part.kind === 'text')),
    messages: messages.slice(lead),
    tools: readTools(body),
    tool_choice: readToolChoice(body),
    parallel_tools: body.find('parallel_tool_calls')?.flag(),
    max_output: body.either('max_completion_tokens', 'max_tokens')?.whole(),
    choices: body.find('n')?.whole(1, CHOICES_LIMIT),
    sampling: readSampling(body),
    stop:
      body
        .find('stop')
        ?.oneOrMore()
        .map(stop => stop.text()) ?? [],
    logprobs: readLogprobs(body),
    reasoning: readReasoning(body),
    output: readOutput(body.find('response_format')),
    verbosity: body.find('verbosity')?.text(),
    modalities: body
      .find('modalities')
      ?.list()
      .map(modality => modality.oneOf(modalities)),
    user: body.either('user', 'safety_identifier')?.text(),
    conversation: conversationIn(body.at('metadata')),
    extra: Object.keys(extra).length ? { 'openai-chat': extra } : {},
  }
}

const readLogprobs = (body: Field): number | undefined =>
  body.find('logprobs')?.flag() ? (body.find('top_logprobs')?.whole() ?? 0) : undefined

/**
 * A client that requests reasoning gets it as `reasoning_content`. The `reasoning` object is OpenRouter's.
 * https://openrouter.ai/docs/guides/best-practices/reasoning-tokens (read 2026-11)
 */
function readReasoning(body: Field): Reasoning | undefined {
  const openRouter = body.at('reasoning')
  const effort = (body.find('reasoning_effort') ?? openRouter.find('effort'))?.oneOf<Effort>(efforts)
  const budget = openRouter.find('max_tokens')?.whole()
  if (effort === 'none' || openRouter.at('enabled').value === false) return { effort: 'none' }
  const isWanted = effort !== undefined || budget !== undefined || openRouter.at('enabled').value === true
  return isWanted ? { effort, budget, show: openRouter.at('exclude').value !== true } : undefined
}

function readOutput(format: Field | undefined): OutputFormat | undefined {
  if (!format) return undefined
  switch (format.at('type').oneOf(['text', 'json_object', 'json_schema'])) {
    case 'text':
      return { kind: 'text' }
    case 'json_object':
      return { kind: 'json' }
    case 'json_schema': {
      const schema = format.at('json_schema')
      return {
        kind: 'schema',
        schema: schema.find('schema')?.object() ?? {},
        name: schema.at('name').text(),
        description: schema.find('description')?.text(),
        strict: schema.find('strict')?.flag() ?? false,
      }
    }
  }
}

export function readTools(body: Field): Tool[] {
  const tools = body.find('tools')?.list().map(readTool) ?? []
  const functions = body.find('functions')?.list().map(readFunction) ?? []
  const search = body.find('web_search_options')
  const hosted: Tool[] = search
    ? [
        {
          ...{ kind: 'hosted', offer: 'web_search', format: 'openai-chat', scope: readScope(search) },
          value: { web_search_options: search.object() },
        },
      ]
    : []
  return [...tools, ...functions, ...hosted]
}

const readScope = (search: Field): SearchScope => ({
  depth: search.find('search_context_size')?.text(),
  place: readPlace(search.at('user_location').at('approximate')),
})

function readTool(tool: Field): Tool {
  if (tool.at('type').value === 'function') return readFunction(tool.at('function'))
  if (tool.at('type').value === 'custom') return readCustomTool(tool.at('custom'))
  return { kind: 'hosted', offer: undefined, format: 'openai-chat', value: tool.object() }
}

const readFunction = (tool: Field): Tool => ({
  kind: 'function',
  name: tool.at('name').text(),
  description: tool.find('description')?.text(),
  parameters: tool.find('parameters')?.object(),
  strict: tool.find('strict')?.flag() ?? false,
})

function readToolChoice(body: Field): ToolChoice | undefined {
  const choice = body.either('tool_choice', 'function_call')
  if (!choice) return undefined
  if (typeof choice.value === 'string') return { kind: choice.oneOf(['auto', 'none', 'required']) }
  if (choice.at('type').value !== 'allowed_tools') {
    return {
      kind: 'tool',
      name: choice.either('function', 'custom')?.at('name').text() ?? choice.at('name').text(),
    }
  }
  const allowed = choice.at('allowed_tools')
  const names = allowed
    .at('tools')
    .list()
    .map(tool => tool.at('function').at('name').text())
  return { kind: 'allowed', names, required: allowed.at('mode').value === 'required' }
}
