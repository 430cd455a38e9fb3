/** Parts of OpenAI's two chat formats that are the same. */
import { createHash } from 'node:crypto'
import { isReasoningModel, takesSampling, traitsOf } from '../models/traits.ts'
import type { Json } from '../pure/json.ts'
import type { ChatRequest, Sampling, Source } from './canonical/chat.ts'
import type { ToolNameLimit } from './format.ts'
import { isStrict } from './json/schema.ts'
import type { Field } from './json/strict-json.ts'
import { urlOf } from './media/data-url.ts'
import type { OpenAiFile } from './openai-chat/wire.ts'

export const readSampling = (body: Field): Sampling => ({
  temperature: body.find('temperature')?.number(),
  top_p: body.find('top_p')?.number(),
  top_k: body.find('top_k')?.number(),
  seed: body.find('seed')?.number(),
  presence_penalty: body.find('presence_penalty')?.number(),
  frequency_penalty: body.find('frequency_penalty')?.number(),
  logit_bias: body.find('logit_bias')?.object(),
})

/** Fields of both formats that no other format has. */
const shared = [
  ...['store', 'metadata', 'service_tier', 'safety_identifier'],
  ...['prompt_cache_key', 'prompt_cache_retention'],
]

/** @returns the own fields of a format, and those that the other format shares with it */
export function ownFields({ extra }: ChatRequest, own: 'openai-chat' | 'openai-responses'): object {
  const other = extra[own === 'openai-chat' ? 'openai-responses' : 'openai-chat'] ?? {}
  const common = Object.entries(other).filter(([key]) => shared.includes(key))
  return { ...Object.fromEntries(common), ...extra[own] }
}

/** @returns the sampling that a model accepts: while it reasons, only the seed */
export function samplingFor({ model, sampling, reasoning }: ChatRequest): Sampling {
  if (!isReasoningModel(model)) return sampling
  const { temperature, top_p, seed } = sampling
  return takesSampling(model, reasoning) ? { temperature, top_p, seed } : { seed }
}

/** @returns the alternatives for each token; reasoning models have none */
export const logprobsFor = ({ model, reasoning, logprobs }: ChatRequest): number | undefined =>
  takesSampling(model, reasoning) ? logprobs : undefined

const samplingFields = new Set([
  ...['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
  ...['logprobs', 'top_logprobs', 'logit_bias'],
])

/** A request in one of OpenAI's formats without what a reasoning model refuses. @param effort `none` unless the request names one */
export function withoutSampling(body: Json, model: string, effort: unknown = 'none'): Json {
  const isAccepted = traitsOf(model, 'openai').sampling === 'without thinking' && effort === 'none'
  if (isAccepted || !Object.keys(body).some(name => samplingFields.has(name))) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !samplingFields.has(name)))
}

export const openAiToolName: ToolNameLimit = { max: 64, refused: /[^\w-]/g }

const [USER_MAX, CALL_ID_MAX] = [64, 40]

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** @returns the client's own user; a name that is too long is replaced by its digest */
export const userFor = (user: string | undefined): string | undefined =>
  user && user.length > USER_MAX ? digestOf(user) : user

/** @returns the id of a tool call; an id that is too long is replaced by its digest */
export const callIdFor = (id: string): string => (id.length > CALL_ID_MAX ? digestOf(id).slice(0, CALL_ID_MAX) : id)

/** @returns the fields of an inline file or of a file id */
export function fileFields(source: Source, name: string | undefined): OpenAiFile {
  if (source.via === 'id') return { file_id: source.id }
  return { filename: name ?? defaultName(source), file_data: urlOf(source) }
}

const defaultName = (source: Source) =>
  source.via === 'base64' && source.media_type === 'application/pdf' ? 'document.pdf' : 'document.txt'

/** @returns true when the schema is to be enforced and OpenAI accepts it as strict */
export const strictness = (strict: boolean | undefined, schema: Json | undefined): true | undefined =>
  (strict ?? (schema !== undefined && isStrict(schema))) || undefined

/** OpenAI requires a name for a schema; other formats have none. */
export const SCHEMA_NAME = 'answer'
