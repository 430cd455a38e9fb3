/** Times to first token, counted in buckets: they can be added up, and a percentile is read from their sums. */

/** Upper bounds of the buckets in milliseconds, exclusive; the last bucket has none. */
export const FIRST_TOKEN_BOUNDS_MS = [
  100, 150, 200, 300, 400, 500, 700, 1000, 1400, 2000, 3000, 4000, 6000, 8000, 12_000, 20_000, 40_000,
] as const

const BUCKETS = [...FIRST_TOKEN_BOUNDS_MS.map(bound => `below_${bound}` as const), 'above' as const]
export type FirstTokenBucket = (typeof BUCKETS)[number]
export const FIRST_TOKEN_BUCKETS: readonly FirstTokenBucket[] = BUCKETS

export type FirstTokenCounts = Record<FirstTokenBucket, number>

export const noFirstTokens = Object.fromEntries(FIRST_TOKEN_BUCKETS.map(name => [name, 0])) as FirstTokenCounts

export function bucketOf(ms: number): FirstTokenBucket {
  const at = FIRST_TOKEN_BOUNDS_MS.findIndex(bound => ms < bound)
  return FIRST_TOKEN_BUCKETS[at === -1 ? FIRST_TOKEN_BOUNDS_MS.length : at]!
}

export const firstTokenCalls = (counts: FirstTokenCounts): number =>
  FIRST_TOKEN_BUCKETS.reduce((sum, name) => sum + counts[name], 0)

/** Interpolated within its bucket. @param share 0.5 for the median. @returns milliseconds; undefined without a call */
export function percentileOf(counts: FirstTokenCounts, share: number): number | undefined {
  let left = firstTokenCalls(counts) * share
  for (const [at, name] of FIRST_TOKEN_BUCKETS.entries()) {
    const lower = FIRST_TOKEN_BOUNDS_MS[at - 1] ?? 0
    const upper = FIRST_TOKEN_BOUNDS_MS[at] ?? lower
    if (counts[name] && left <= counts[name]) return Math.round(lower + ((upper - lower) * left) / counts[name])
    left -= counts[name]
  }
  return undefined
}
