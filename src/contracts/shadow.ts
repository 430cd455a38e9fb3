/** Calls in the shadow of another gateway, and how their bills compare with its own. */

/**
 * `finished` the response ended; `abandoned` the client left; `broken` the other gateway broke off; `failed` an error,
 * by status or in a response of 200; `unread` nothing here reads the request or the response, such as of a remix.
 */
export type ShadowOutcome = 'finished' | 'abandoned' | 'broken' | 'failed' | 'unread'

/** Ratios of a bill, and the counts that no column has. */
export interface ShadowPrice {
  model_ratio: number
  completion_ratio: number
  group_ratio: number
  cache_ratio: number
  cache_creation_ratio: number
  /** USD per call, or of a whole task; below 0 for a price by tokens. */
  model_price: number
  cache_tokens: number
  cache_creation_tokens: number
  reasoning_tokens: number
  /** Beside the ratios: tiers, tariffs, tools, audio and images, sizes of pictures. */
  has_more: boolean
}

/** What both sides say of a price. */
export const SHADOW_RATIOS = [
  'model_ratio',
  'completion_ratio',
  'group_ratio',
  'cache_ratio',
  'cache_creation_ratio',
  'model_price',
] as const

/** Why a call differs; several may apply to one. */
export const SHADOW_REASONS = [
  ...(['missing_here', 'missing_there', 'refused_here', 'failed_here', 'not_priced_here'] as const),
  ...(['usage_abandoned', 'usage_estimated', 'usage_cached', 'usage_reasoning', 'usage_differs'] as const),
  ...(['free_here', 'free_there'] as const),
  ...SHADOW_RATIOS,
  ...(['price_not_logged', 'other_charges', 'rounding', 'unexplained'] as const),
] as const
export type ShadowReason = (typeof SHADOW_REASONS)[number]

/** Sums of one side: whole numbers as texts, since they are exact. */
export interface ShadowSums {
  calls: string
  prompt_tokens: string
  completion_tokens: string
  quota: string
}

export interface ShadowDifference {
  /** With the code of a refusal behind a colon. */
  reasons: string[]
  calls: string
  /** Theirs less ours. */
  quota: string
}

export interface ShadowRow {
  theirs: ShadowSums
  ours: ShadowSums
  /** Calls that both have. */
  matched: string
  /** Calls of the same tokens and the same quota. */
  equal: string
  /** Quota: theirs less ours. */
  difference: string
  differences: ShadowDifference[]
}

/** Without secrets. */
export interface ShadowReport {
  against: string
  /** Unix seconds, the first inclusive and the last exclusive. */
  since: number
  until: number
  total: ShadowRow
  /** Calls that failed and have no entry there: neither charges them. */
  failed: string
  rows: (ShadowRow & { user: string; model: string })[]
}

/** Days for which the calls are kept. */
export const SHADOW_KEEP_DAYS = 30
