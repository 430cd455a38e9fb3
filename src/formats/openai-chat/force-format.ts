/**
 * Rewrites chat responses as the settings of a channel require. A new FormatForcer for each response.
 * https://platform.openai.com/docs/api-reference/chat (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'

interface ForcedFormat {
  /** Only OpenAI's fields, and all those that OpenAI always sends. */
  force_format?: boolean
  /** Thinking goes into the content, between `<think>` and `</think>`. */
  thinking_to_content?: boolean
}

/** Values for a response without them. */
interface ResponseDefaults {
  id: string
  created: number
  model: string
}

export interface FormatForcer {
  response(body: Json): Json
  event(event: Json): Json
}

export function formatForcer(
  { force_format, thinking_to_content }: ForcedFormat,
  defaults: ResponseDefaults,
): FormatForcer {
  const withThinking = thinking_to_content ? thinkingInStream() : unchanged
  const head = { ...defaults }
  return {
    response(body) {
      const edited = thinking_to_content ? mapChoices(body, withThinkingInContent) : body
      return force_format ? plain(edited, 'chat.completion', 'message', defaults) : edited
    },
    event(event) {
      const edited = withThinking(event)
      if (!force_format) return edited
      // All events get the id of the first event.
      if (typeof edited.id === 'string' && edited.id && head.id === defaults.id) head.id = edited.id
      return plain({ ...edited, id: head.id }, 'chat.completion.chunk', 'delta', head)
    },
  }
}

const unchanged = (event: Json) => event

const mapChoices = (body: Json, change: (choice: Json) => Json): Json =>
  Array.isArray(body.choices)
    ? { ...body, choices: body.choices.map(choice => (isObject(choice) ? change(choice) : choice)) }
    : body

const THINK_START = '<think>\n'
const THINK_END = '\n</think>\n'

const thinkingOf = ({ reasoning_content, reasoning }: Json): string =>
  [reasoning_content, reasoning].find(value => typeof value === 'string' && value !== '')?.toString() ?? ''

const withoutThinking = ({ reasoning_content, reasoning, ...rest }: Json): Json => rest

function withThinkingInContent(choice: Json): Json {
  const { message } = choice
  if (!isObject(message)) return choice
  const text = thinkingOf(message)
  if (!text) return choice
  return {
    ...choice,
    message: { ...withoutThinking(message), content: THINK_START + text + THINK_END + (message.content ?? '') },
  }
}

/** Opens and closes `<think>` for each choice of a stream. */
function thinkingInStream(): (event: Json) => Json {
  const thinking = new Set<unknown>()
  return event =>
    mapChoices(event, choice => {
      const { index, delta, finish_reason } = choice
      if (!isObject(delta)) return choice
      const text = thinkingOf(delta)
      const continues = Boolean(delta.content || delta.tool_calls || finish_reason)
      if (!text && !(continues && thinking.has(index))) return choice
      const before = text && !thinking.has(index) ? THINK_START : ''
      if (text) thinking.add(index)
      const after = continues ? THINK_END : ''
      if (continues) thinking.delete(index)
      return {
        ...choice,
        delta: { ...withoutThinking(delta), content: before + text + after + (delta.content ?? '') },
      }
    })
}

const pick = (object: Json, names: string[]): Json =>
  Object.fromEntries(names.filter(name => object[name] !== undefined).map(name => [name, object[name]]))

const messageFields = [
  'role',
  'content',
  'reasoning_content',
  'refusal',
  'tool_calls',
  'function_call',
  'audio',
  'annotations',
]
const bodyFields = ['system_fingerprint', 'service_tier', 'usage']

const plainHead = ({ id, created, model }: Json, defaults: ResponseDefaults): Json => ({
  id: typeof id === 'string' && id ? id : defaults.id,
  created: typeof created === 'number' ? created : defaults.created,
  model: typeof model === 'string' && model ? model : defaults.model,
})

const plainChoice = (choice: Json, part: 'message' | 'delta', position: number): Json => ({
  index: typeof choice.index === 'number' ? choice.index : position,
  [part]: pick(isObject(choice[part]) ? choice[part] : {}, messageFields),
  logprobs: choice.logprobs ?? null,
  finish_reason: choice.finish_reason ?? null,
})

function plain(body: Json, object: string, part: 'message' | 'delta', defaults: ResponseDefaults): Json {
  if (!Array.isArray(body.choices)) return body
  const choices = body.choices.filter(isObject).map((choice, position) => plainChoice(choice, part, position))
  return { ...plainHead(body, defaults), object, choices, ...pick(body, bodyFields) }
}
