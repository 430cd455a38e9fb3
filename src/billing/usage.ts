/** Usage of a call, in buckets that never overlap: each token is in exactly one. */
import { assign } from '../pure/assign.ts'

/** In the order of a receipt. */
export const buckets = [
  'input',
  'cache_read',
  'cache_write_5m',
  'cache_write_1h',
  'input_audio',
  'input_image',
  'output',
  'output_audio',
  'output_image',
] as const

export type Bucket = (typeof buckets)[number]

/** Tariffs by the request field that chooses them. */
export type Tariffs = Readonly<Record<string, string>>

export interface Usage extends Record<Bucket, number> {
  /** Thinking tokens, a part of `output`: shown without a charge of their own. */
  reasoning: number
  /** Number of calls of the provider's own tools, by tool. */
  tools: Record<string, number>
  /** Units of a price per call, such as images; 1 by default. */
  calls?: number
  /** Names of tariffs by the field that chooses them, as the upstream reports them: `{ service_tier: 'priority' }`. */
  tariffs?: Tariffs
  /** The model that answered in place of the requested one, where the report names it. */
  answered_by?: string
  /** Parts of a call with several prompts, by the tier of each prompt, 0 below all. The buckets are the sums. */
  by_tier?: ReadonlyMap<number, Usage>
}

/** A usage with 0 in the buckets that are not given. */
export function usageOf(known: Partial<Usage> = {}): Usage {
  const usage: Usage = {
    input: 0,
    cache_read: 0,
    cache_write_5m: 0,
    cache_write_1h: 0,
    input_audio: 0,
    input_image: 0,
    output: 0,
    output_audio: 0,
    output_image: 0,
    reasoning: 0,
    tools: {},
  }
  return assign(usage, known)
}

/** A reported count made safe for a bill: whole, 0 to `MAX_SAFE_INTEGER`; NaN is 0. */
export const countOf = (reported: number | undefined): number =>
  reported !== undefined && reported > 0 ? Math.min(Math.floor(reported), Number.MAX_SAFE_INTEGER) : 0

/** Whether any count is above 0. A call without usage is free at any price. */
export const wasUsed = (usage: Usage): boolean =>
  buckets.some(bucket => countOf(usage[bucket]) > 0) ||
  countOf(usage.calls) > 0 ||
  Object.values(usage.tools).some(calls => countOf(calls) > 0)

/** `prompt_tokens` of the log. */
export const promptTokens = (usage: Usage): number =>
  usage.input + usage.cache_read + usage.cache_write_5m + usage.cache_write_1h + usage.input_audio + usage.input_image

/** `completion_tokens` of the log. */
export const completionTokens = (usage: Usage): number => usage.output + usage.output_audio + usage.output_image
