/** The record of a call: its steps in time, its attempts, and what its channel was chosen by. No content is in it. */

/** Of administrators, and of the users whose calls they are. */
export const ADMIN_CALLS_PATH = '/admin/calls'
export const CALLS_PATH = '/app/calls'

export const callAt = (request_id: string, isOperator: boolean): string =>
  `${isOperator ? ADMIN_CALLS_PATH : CALLS_PATH}/${encodeURIComponent(request_id)}`

/** Of a record in the database, in UTF-8: with its row and indexes it takes at most 400. */
export const CALL_RECORD_MAX_BYTES = 240

/** Milliseconds since the request came. */
export interface RecordedTimes {
  /** The caller is known, its limits allow the call, and the body is read. */
  admitted: number
  /** From here the quota is reserved; before it, channels and price are looked up. */
  reserving: number
  reserved: number
  /** The last byte has come, or no attempt is left: from here the call is billed. */
  ended: number
  /** The transaction of the bill writes the record. */
  written: number
}

/** Times are those of the call, `undefined` of what did not happen. */
export interface RecordedAttempt {
  channel: number
  start: number
  sent?: number
  headers?: number
  first?: number
  end: number
  /** Of the upstream; 0 without an answer. */
  status: number
  /** For operators; blank unless it failed. It may be cut. */
  reason: string
}

/** Why a candidate was not asked. Stored by its index: new ones go to the end. */
export const exclusions = ['no_api', 'prompt_too_long', 'not_holder', 'not_covered', 'no_limit', 'not_able'] as const
export type Exclusion = (typeof exclusions)[number]

/** What the call ran into, with its figure. Stored by its index: new ones go to the end. */
export const callLimits = [
  ...['output', 'attempts', 'retries', 'quota', 'stopped'],
  // The channel that was full; the milliseconds that the call waited for one with room.
  ...['full_rpm', 'full_tpm', 'full_concurrency', 'full_maker', 'queued'],
  // The id of the budget of a channel that was passed over.
  'budget',
  // The id of the budget of its user or key that has refused the call.
  'own_budget',
  // A group or model that the call would have gone on to.
  'unpaid',
  // The id of the budget that ended the call while it ran: of its user or key, or of its channel.
  ...['own_budget_ended', 'budget_ended'],
] as const
export type MetLimit = (typeof callLimits)[number]

export interface RecordedCandidate {
  /** 0 for several channels that a long record joins. */
  id: number
  priority: number
  weight: number
  exclusion?: Exclusion
  /** Of the channels that are joined. */
  count?: number
}

/** A choice among the candidates; `chosen` and `closed` are their indexes. */
export interface RecordedPick {
  /** The random number that decided, 0 to 2^32; absent where there was no choice. */
  draw?: number
  chosen: number
  /** Those that took no calls of the model then. */
  closed: { at: number; seconds: number }[]
}

export interface CallRecord {
  times: RecordedTimes
  attempts: RecordedAttempt[]
  /** Attempts between those that are shown. */
  attempts_left_out: number
  limits: { limit: MetLimit; value: number }[]
  candidates: RecordedCandidate[]
  candidates_left_out: number
  picks: RecordedPick[]
}
