/**
 * Reads the body of POST /v1/responses into a ChatRequest.
 * https://platform.openai.com/docs/api-reference/responses (read 2026-11)
 */
import { type Effort, efforts } from '../../models/effort.ts'
import type { Json } from '../../pure/json.ts'
import type { ChatRequest, OutputFormat, Reasoning, TextPart, ToolChoice } from '../canonical/chat.ts'
import { conversationIn } from '../canonical/conversation.ts'
import type { ChatClientFormat } from '../format.ts'
import { type Field, reading } from '../json/strict-json.ts'
import { fullNameOf } from '../translate/namespaces.ts'
import { readItems } from './read-items.ts'
import { offerOf, readTools } from './read-tools.ts'

export const readRequest: ChatClientFormat['readRequest'] = body => reading(body, request)

const knownFields = [
  ...['model', 'input', 'instructions', 'max_output_tokens', 'temperature', 'top_p', 'top_logprobs', 'stream', 'text'],
  ...['reasoning', 'tools', 'tool_choice', 'parallel_tool_calls', 'user', 'include'],
]

function request(body: Field): ChatRequest {
  const messages = readItems(body.at('input'))
  const first = messages.findIndex(message => message.role !== 'system')
  const lead = first < 0 ? messages.length : first
  return {
    model: body.at('model').model(),
    stream: body.find('stream')?.flag() ?? false,
    wants_usage: true,
    system: [...readInstructions(body), ...messages.slice(0, lead).flatMap(({ parts }) => parts as TextPart[])],
    messages: messages.slice(lead),
    tools: readTools(body),
    tool_choice: readToolChoice(body.find('tool_choice')),
    parallel_tools: body.find('parallel_tool_calls')?.flag(),
    max_output: body.find('max_output_tokens')?.whole(),
    sampling: {
      temperature: body.find('temperature')?.number(),
      top_p: body.find('top_p')?.number(),
    },
    stop: [],
    logprobs: readLogprobs(body),
    reasoning: readReasoning(body.find('reasoning')),
    output: readOutput(body.at('text').find('format')),
    verbosity: body.at('text').find('verbosity')?.text(),
    user: body.either('user', 'safety_identifier')?.text(),
    conversation: conversationIn(body.at('metadata')),
    stored_by: stored.some(field => body.at(field).value) ? 'openai-responses' : undefined,
    extra: { 'openai-responses': readExtra(body) },
  }
}

/** Fields that refer to what OpenAI stores. */
const stored = ['previous_response_id', 'conversation', 'prompt']

function readInstructions(body: Field): TextPart[] {
  const text = body.find('instructions')?.text()
  return text ? [{ kind: 'text', text }] : []
}

export const LOGPROBS = 'message.output_text.logprobs'
export const ENCRYPTED = 'reasoning.encrypted_content'

/** Whether the client sends back what it cannot read. */
export function asksForEncrypted({ extra }: ChatRequest): boolean {
  const { include } = extra['openai-responses'] ?? {}
  return Array.isArray(include) && include.includes(ENCRYPTED)
}

const includedIn = (body: Field) =>
  body
    .find('include')
    ?.list()
    .map(item => item.text()) ?? []

const readLogprobs = (body: Field): number | undefined =>
  includedIn(body).includes(LOGPROBS) ? (body.find('top_logprobs')?.whole() ?? 0) : undefined

function readExtra(body: Field): Json {
  const include = includedIn(body).filter(item => item !== LOGPROBS)
  const reasoning = body.find('reasoning')?.without(['effort']) ?? {}
  return {
    ...body.without(knownFields),
    ...(include.length && { include }),
    ...(Object.keys(reasoning).length && { reasoning }),
  }
}

function readReasoning(reasoning: Field | undefined): Reasoning | undefined {
  const effort = reasoning?.find('effort')?.oneOf<Effort>(efforts)
  const show = reasoning?.either('summary', 'generate_summary') ? true : undefined
  return effort || show ? { effort, show } : undefined
}

function readOutput(format: Field | undefined): OutputFormat | undefined {
  if (!format) return undefined
  switch (format.at('type').oneOf(['text', 'json_object', 'json_schema'])) {
    case 'text':
      return { kind: 'text' }
    case 'json_object':
      return { kind: 'json' }
    case 'json_schema':
      return {
        kind: 'schema',
        schema: format.at('schema').object(),
        name: format.at('name').text(),
        description: format.find('description')?.text(),
        strict: format.find('strict')?.flag() ?? false,
      }
  }
}

function readToolChoice(choice: Field | undefined): ToolChoice | undefined {
  if (!choice) return undefined
  if (typeof choice.value === 'string') return { kind: choice.oneOf(['auto', 'none', 'required']) }
  switch (choice.at('type').value) {
    case 'function':
    case 'custom':
      return { kind: 'tool', name: fullNameOf(choice) }
    case 'allowed_tools': {
      const tools = choice.at('tools').list()
      const names = tools.filter(isFunction).map(fullNameOf)
      const hosted = tools.filter(tool => !isFunction(tool)).map(chosenName)
      return { kind: 'allowed', names, hosted, required: choice.at('mode').value === 'required' }
    }
    default:
      return { kind: 'tool', name: chosenName(choice), is_hosted: true }
  }
}

const isFunction = (tool: Field): boolean => ['function', 'custom'].includes(String(tool.at('type').value))

/** A choice names a hosted tool by its type; an MCP server is chosen with all its tools. */
function chosenName(choice: Field): string {
  const type = choice.at('type').text()
  return offerOf(type) ?? type
}
