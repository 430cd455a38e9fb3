/** Parts of OpenAI's two chat formats that are the same. */
import { createHash } from 'node:crypto'
import { isReasoningModel, takesSampling } from '../models/openai.ts'
import type { Json } from '../pure/json.ts'
import type { ChatRequest, Sampling, Source } from './canonical/chat.ts'
import type { ToolNameLimit } from './format.ts'
import { isStrict } from './json/schema.ts'
import type { Field } from './json/strict-json.ts'
import { urlOf } from './media/data-url.ts'

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
export function ownFields({ extra }: ChatRequest, own: 'openai-chat' | 'openai-responses'): Json {
  const other = extra[own === 'openai-chat' ? 'openai-responses' : 'openai-chat'] ?? {}
  const common = Object.entries(other).filter(([key]) => shared.includes(key))
  return { ...Object.fromEntries(common), ...extra[own] }
}

/** The sampling that a model takes: while it thinks, nothing but the seed. */
export function samplingFor({ model, sampling, reasoning }: ChatRequest): Sampling {
  if (!isReasoningModel(model)) return sampling
  const { temperature, top_p, seed } = sampling
  return takesSampling(model, reasoning) ? { temperature, top_p, seed } : { seed }
}

/** How many alternatives are told with each word: by a model that thinks, none at all. */
export const logprobsFor = ({ model, reasoning, logprobs }: ChatRequest): number | undefined =>
  takesSampling(model, reasoning) ? logprobs : undefined

export const openAiToolName: ToolNameLimit = { max: 64, refused: /[^\w-]/g }

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
