/** Anthropic Messages. https://docs.anthropic.com/en/api/messages (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import type { ForwardOptions, RequestFacts } from '../format.ts'
import {
  countFlaw,
  countIn,
  type Flaw,
  firstOf,
  flagFlaw,
  isAbsent,
  isObject,
  listFlaw,
  modelFlaw,
  modelIn,
  TOKENS_LIMIT,
  wrong,
} from '../json/checks.ts'
import { numberOf, objectsOf } from '../json/lenient-json.ts'
import { lowered } from '../json/lowered.ts'
import { passthrough } from '../translate/passthrough.ts'
import { readError, writeError } from './api-error.ts'
import { limits } from './limits.ts'
import { applyModelSettings } from './model-settings.ts'
import { readRequest } from './read-request.ts'
import { readResponse } from './read-response.ts'
import { readStream } from './read-stream.ts'
import { madeIn, storedIn } from './stored-places.ts'
import { limitThinking } from './thinking.ts'
import { writeRequest } from './write-request.ts'
import { writeResponse } from './write-response.ts'
import { writeStream } from './write-stream.ts'

const event = (type: string, data: Json) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`

export const anthropic = passthrough({
  name: 'anthropic',
  limits,
  readFacts,
  forward,
  applyModelSettings,
  limitOutput,
  stream_end: { last: event('message_stop', { type: 'message_stop' }) },
  readRequest,
  writeRequest,
  readResponse,
  writeResponse,
  readStream,
  writeStream,
  readError,
  writeError,
  writeErrorFrame: error => event('error', writeError(error)),
  madeIn: ({ container, content }) => (container ? madeIn(container, objectsOf(content)) : []),
})

function readFacts(body: Json): RequestFacts | Flaw {
  const { stored, id_flaw } = storedIn(body)
  const flaw = firstOf(
    modelFlaw(body),
    flagFlaw(body, 'stream'),
    countFlaw(body, 'max_tokens', 0, TOKENS_LIMIT),
    isAbsent(body.thread) || isObject(body.thread) ? undefined : wrong('thread'),
    id_flaw,
    continuesThread(body) && isEmptyList(body.messages) ? undefined : listFlaw(body, 'messages'),
  )
  return (
    flaw ?? {
      model: modelIn(body),
      stream: body.stream === true,
      max_output: mostOutput(body),
      choices: 1,
      wants_usage: true,
      stored,
      // Conversations are kept under the id of their last message.
      stores: isObject(body.thread) ? 'thread' : undefined,
    }
  )
}

const isEmptyList = (value: unknown) => Array.isArray(value) && !value.length

/** An unfinished turn is resumed by a request without messages. */
const continuesThread = ({ thread }: Json): boolean => isObject(thread) && thread.type === 'continue'

/** Models that the request falls back on may have limits of their own. */
function mostOutput(body: Json): number | undefined {
  const named = countIn(body, 'max_tokens')
  if (!named || !Array.isArray(body.fallbacks)) return named || undefined
  return Math.max(
    named,
    ...objectsOf(body.fallbacks).map(({ max_tokens }) => Math.min(numberOf(max_tokens) ?? 0, TOKENS_LIMIT)),
  )
}

function limitOutput(body: Json, limit: number): Json {
  const limited = limitThinking({ ...body, max_tokens: lowered(body.max_tokens, limit) }, limit)
  if (!Array.isArray(body.fallbacks)) return limited
  const fallbacks = body.fallbacks.map(entry =>
    isObject(entry) && entry.max_tokens ? { ...entry, max_tokens: lowered(entry.max_tokens, limit) } : entry,
  )
  return { ...limited, fallbacks }
}

function forward(body: Json, { model, system_prompt, replace_system }: ForwardOptions): Json {
  if (!system_prompt) return { ...body, model }
  return { ...body, model, system: replace_system ? system_prompt : instructed(body.system, system_prompt) }
}

const instructed = (system: unknown, text: string): unknown =>
  Array.isArray(system) ? [{ type: 'text', text }, ...system] : [text, system].filter(Boolean).join('\n\n')
