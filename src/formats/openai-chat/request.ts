/** What the gateway reads of a request and changes in it. https://platform.openai.com/docs/api-reference/chat/create (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import type { ForwardOptions, RequestFacts } from '../format.ts'
import {
  CHOICES_LIMIT,
  countFlaw,
  countIn,
  type Flaw,
  firstOf,
  flagFlaw,
  isAbsent,
  isObject,
  modelFlaw,
  modelIn,
  TOKENS_LIMIT,
  wrong,
} from '../json/checks.ts'
import { textOf } from '../json/lenient-json.ts'
import { storedIn } from './stored-places.ts'

/** Reads what the price depends on, from the values that are forwarded. */
export function readFacts(body: Json): RequestFacts | Flaw {
  const { messages } = body
  const flaw = flawIn(body)
  if (flaw) return flaw
  if (!Array.isArray(messages) || !messages.every(isObject)) return { code: 'relay.messages_wrong', param: 'messages' }
  if (!messages.length) return { code: 'relay.messages_empty', param: 'messages' }
  // An object counts no tokens here, and means something to few upstreams.
  const wrong_content = messages.findIndex(({ content }) => isObject(content))
  if (wrong_content >= 0) return wrong(`messages[${wrong_content}].content`)
  const { stored, id_flaw } = storedIn(body)
  if (id_flaw) return id_flaw
  const limits = [body.max_tokens, body.max_completion_tokens].filter(limit => typeof limit === 'number')
  return {
    model: modelIn(body),
    stream: body.stream === true,
    max_output: Math.max(0, ...limits) || undefined,
    choices: countIn(body, 'n') ?? 1,
    wants_usage: wantsUsage(body),
    stored,
  }
}

const flawIn = (body: Json): Flaw | undefined =>
  firstOf(
    modelFlaw(body),
    flagFlaw(body, 'stream'),
    streamOptionsFlaw(body),
    countFlaw(body, 'n', 1, CHOICES_LIMIT),
    countFlaw(body, 'max_tokens', 0, TOKENS_LIMIT),
    countFlaw(body, 'max_completion_tokens', 0, TOKENS_LIMIT),
  )

export const streamOptionsFlaw = ({ stream_options }: Json): Flaw | undefined =>
  isAbsent(stream_options) || isObject(stream_options) ? undefined : wrong('stream_options')

export const wantsUsage = ({ stream_options }: Json): boolean =>
  isObject(stream_options) && stream_options.include_usage === true

export function forward(body: Json, options: ForwardOptions): Json {
  const edited = forwardWithUsage(body, options)
  const { system_prompt, replace_system } = options
  const messages = body.messages as Json[]
  if (system_prompt)
    edited.messages = withSystemPrompt(replace_system ? messages.filter(isOther) : messages, system_prompt)
  return edited
}

/** @returns a copy with the upstream's model name; a stream is asked for its usage if the upstream can report it */
export function forwardWithUsage(body: Json, { model, stream_usage }: ForwardOptions): Json {
  const edited: Json = { ...body, model }
  const asks = stream_usage === 'wanted' ? wantsUsage(body) : stream_usage
  if (body.stream !== true || !asks) delete edited.stream_options
  else edited.stream_options = { ...(body.stream_options as Json | null), include_usage: true }
  return edited
}

const isSystem = ({ role }: Json) => role === 'system' || role === 'developer'
const isOther = (message: Json) => !isSystem(message)

function withSystemPrompt(messages: Json[], prompt: string): Json[] {
  const at = messages.findIndex(isSystem)
  if (at < 0) return [{ role: 'system', content: prompt }, ...messages]
  const own = messages[at]!
  const content = Array.isArray(own.content)
    ? [{ type: 'text', text: prompt }, ...own.content]
    : `${prompt}\n\n${textOf(own.content)}`
  return messages.with(at, { ...own, content })
}
