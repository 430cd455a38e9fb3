/** What an operator can have changed about the shape of a channel's answers. A fresh shaper for each answer. */

import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'

export interface ForcedShape {
  /** Only OpenAI's own fields, all of those that it always sends. */
  force_format?: boolean
  /** Thinking goes before the answer's text, between `<think>` and `</think>`. */
  thinking_to_content?: boolean
}

/** What an answer is called when it does not say. */
interface Known {
  id: string
  created: number
  model: string
}

export interface FormatForcer {
  answer(body: Json): Json
  event(event: Json): Json
}

export function formatForcer({ force_format, thinking_to_content }: ForcedShape, known: Known): FormatForcer {
  const withThinking = thinking_to_content ? thinkingInStream() : unchanged
  const own = { ...known }
  return {
    answer(body) {
      const thought = thinking_to_content ? mapChoices(body, withThoughtInContent) : body
      return force_format ? plainAnswer(thought, known) : thought
    },
    event(event) {
      const told = withThinking(event)
      if (!force_format) return told
      // All events of an answer are called by the same name: the first one's.
      if (typeof told.id === 'string' && told.id && own.id === known.id) own.id = told.id
      return plainEvent(told, own)
    },
  }
}

const unchanged = (event: Json) => event

const mapChoices = (body: Json, change: (choice: Json) => Json): Json =>
  Array.isArray(body.choices)
    ? { ...body, choices: body.choices.map(choice => (isObject(choice) ? change(choice) : choice)) }
    : body

const BEFORE = '<think>\n'
const AFTER = '\n</think>\n'

const thoughtIn = ({ reasoning_content, reasoning }: Json): string =>
  [reasoning_content, reasoning].find(text => typeof text === 'string' && text !== '')?.toString() ?? ''

const withoutThought = ({ reasoning_content, reasoning, ...said }: Json): Json => said

function withThoughtInContent(choice: Json): Json {
  const { message } = choice
  if (!isObject(message)) return choice
  const thought = thoughtIn(message)
  if (!thought) return choice
  return {
    ...choice,
    message: { ...withoutThought(message), content: BEFORE + thought + AFTER + (message.content ?? '') },
  }
}

/** Each choice of a stream thinks for itself. */
function thinkingInStream(): (event: Json) => Json {
  const thinking = new Set<unknown>()
  return event =>
    mapChoices(event, choice => {
      const { index, delta, finish_reason } = choice
      if (!isObject(delta)) return choice
      const thought = thoughtIn(delta)
      const goesOn = Boolean(delta.content || delta.tool_calls || finish_reason)
      if (!thought && !(goesOn && thinking.has(index))) return choice
      const before = thought && !thinking.has(index) ? BEFORE : ''
      if (thought) thinking.add(index)
      const after = goesOn ? AFTER : ''
      if (goesOn) thinking.delete(index)
      return {
        ...choice,
        delta: { ...withoutThought(delta), content: before + thought + after + (delta.content ?? '') },
      }
    })
}

const only = (said: Json, names: string[]): Json =>
  Object.fromEntries(names.filter(name => said[name] !== undefined).map(name => [name, said[name]]))

const ofMessage = [
  'role',
  'content',
  'reasoning_content',
  'refusal',
  'tool_calls',
  'function_call',
  'audio',
  'annotations',
]
const ofAll = ['system_fingerprint', 'service_tier', 'usage']

const plainHead = ({ id, created, model }: Json, known: Known): Json => ({
  id: typeof id === 'string' && id ? id : known.id,
  created: typeof created === 'number' ? created : known.created,
  model: typeof model === 'string' && model ? model : known.model,
})

const plainChoice = (choice: Json, part: 'message' | 'delta', at: number): Json => ({
  index: typeof choice.index === 'number' ? choice.index : at,
  [part]: only(isObject(choice[part]) ? choice[part] : {}, ofMessage),
  logprobs: choice.logprobs ?? null,
  finish_reason: choice.finish_reason ?? null,
})

function plain(body: Json, object: string, part: 'message' | 'delta', known: Known): Json {
  if (!Array.isArray(body.choices)) return body
  const choices = body.choices.filter(isObject).map((choice, at) => plainChoice(choice, part, at))
  return { ...plainHead(body, known), object, choices, ...only(body, ofAll) }
}

const plainAnswer = (body: Json, known: Known) => plain(body, 'chat.completion', 'message', known)
const plainEvent = (event: Json, known: Known) =>
  plain({ ...event, id: known.id }, 'chat.completion.chunk', 'delta', known)
