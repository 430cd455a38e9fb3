/** A channel's report: how it has served calls in the last days. */

export const REPORT_DAYS = 7

/** Calls whose durations are read, the newest: enough for a p95, few enough for a page. */
export const DURATIONS_MAX = 400

/** Milliseconds. */
export interface Percentiles {
  p50: number
  p95: number
}

export interface Durations {
  /** Calls that were read. */
  calls: number
  /** Duration of the calls; absent without one. */
  whole: Percentiles | undefined
  /** To the first token of streamed calls; absent without one. */
  first: Percentiles | undefined
}
