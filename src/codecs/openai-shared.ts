/** What OpenAI's two formats have in common. */
import { createHash } from 'node:crypto'
import type { Request, Sampling, Source } from './canonical.ts'
import { urlOf } from './data-url.ts'
import { isOff } from './effort.ts'
import type { Field } from './field.ts'
import type { Json } from './json.ts'
import { isStrict } from './schema.ts'

export const readSampling = (body: Field): Sampling => ({
  temperature: body.at('temperature').optional?.number(),
  top_p: body.at('top_p').optional?.number(),
  top_k: body.at('top_k').optional?.number(),
  seed: body.at('seed').optional?.number(),
  presence_penalty: body.at('presence_penalty').optional?.number(),
  frequency_penalty: body.at('frequency_penalty').optional?.number(),
  logit_bias: body.at('logit_bias').optional?.object(),
})

/** Fields that mean the same in both and nothing elsewhere. */
const shared = [
  ...['store', 'metadata', 'service_tier', 'safety_identifier'],
  ...['prompt_cache_key', 'prompt_cache_retention'],
]

/** What a format alone knows, and what the other of the two says in the same words. */
export function ownFields({ extra }: Request, own: 'openai-chat' | 'openai-responses'): Json {
  const other = extra[own === 'openai-chat' ? 'openai-responses' : 'openai-chat'] ?? {}
  const common = Object.entries(other).filter(([key]) => shared.includes(key))
  return { ...Object.fromEntries(common), ...extra[own] }
}

/** OpenAI's newer models think, take no sampling, and count the thoughts into the limit that is asked for. */
export const isReasoningModel = (model: string): boolean => /^(?:o\d|gpt-5)/.test(model) && !model.includes('chat')

/** Newer models do not think when they are told so. */
const isIdle = ({ model, reasoning }: Request): boolean =>
  /^gpt-5\.[1-9]/.test(model) && reasoning !== undefined && isOff(reasoning)

/** A model that thinks takes no sampling. */
export function samplingFor(request: Request): Sampling {
  const { model, sampling } = request
  if (!isReasoningModel(model)) return sampling
  return isIdle(request) ? { temperature: sampling.temperature, top_p: sampling.top_p } : { seed: sampling.seed }
}

/** Nor does it tell how likely its words were. */
export const logprobsFor = (request: Request): number | undefined =>
  isReasoningModel(request.model) && !isIdle(request) ? undefined : request.logprobs

/** Models that OpenAI itself serves: it refuses fields that it does not know. */
export const isOwnModel = (model: string): boolean => /^(?:gpt-|o\d|chatgpt-)/.test(model)

const [USER_MOST, CALL_ID_MOST] = [64, 40]

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** A name for the caller's own user; a longer one than is taken is told by its digest. */
export const userFor = (user: string | undefined): string | undefined =>
  user && user.length > USER_MOST ? digestOf(user) : user

/** What a call and its result are known by; others take longer ones. */
export const callIdFor = (id: string): string => (id.length > CALL_ID_MOST ? digestOf(id).slice(0, CALL_ID_MOST) : id)

/** A file as both formats carry it inline. */
export function fileFields(source: Source, name: string | undefined): Json {
  if (source.via === 'id') return { file_id: source.id }
  return { filename: name ?? defaultName(source), file_data: urlOf(source) }
}

const defaultName = (source: Source) =>
  source.via === 'base64' && source.media_type === 'application/pdf' ? 'document.pdf' : 'document.txt'

/** A format that does not ask means its schemas to hold; here only some can be held to. */
export const strictness = (strict: boolean | undefined, schema: Json | undefined): true | undefined =>
  (strict ?? (schema !== undefined && isStrict(schema))) || undefined

/** Here a schema must have a name, and other formats know of none. */
export const SCHEMA_NAME = 'answer'
