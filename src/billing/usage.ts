/** What a call used, in buckets that never overlap: each token is in exactly one of them. */

/** In the order in which a receipt lists them. */
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

export interface Usage extends Record<Bucket, number> {
  /** The part of `output` that was thinking: told, never charged twice. */
  reasoning: number
  /** Calls of the provider's own tools, by tool. */
  tools: Record<string, number>
  /** How many things a price per call counts, such as images; 1 unless said. */
  calls?: number
}

/** A usage from the buckets that are known; the others are 0. */
export const usageOf = (known: Partial<Usage> = {}): Usage => ({
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
  ...known,
})

/** A count that a bill can trust, whatever an upstream reported: whole, not negative, not beyond exact numbers. */
export const countOf = (reported: number | undefined): number =>
  reported !== undefined && reported > 0 ? Math.min(Math.floor(reported), Number.MAX_SAFE_INTEGER) : 0

/** Whether anything was used at all: only a call without it is free at any price. */
export const wasUsed = (usage: Usage): boolean =>
  buckets.some(bucket => countOf(usage[bucket]) > 0) ||
  countOf(usage.calls) > 0 ||
  Object.values(usage.tools).some(calls => countOf(calls) > 0)

/** What the log calls prompt tokens. */
export const promptTokens = (usage: Usage): number =>
  usage.input + usage.cache_read + usage.cache_write_5m + usage.cache_write_1h + usage.input_audio + usage.input_image

/** What the log calls completion tokens. */
export const completionTokens = (usage: Usage): number => usage.output + usage.output_audio + usage.output_image
