/** A channel's history: its attempts by hour and model, their failures by kind, its cooldowns and closings. */
import { z } from 'zod'
import type { FirstTokenCounts } from './first-token.ts'

/** Days that are kept, the running one included. */
export const HISTORY_DAYS = 90

/** What the page shows. */
export const HISTORY_RANGES = [7, 30, HISTORY_DAYS] as const
export type HistoryRange = (typeof HISTORY_RANGES)[number]

/** Models of a channel that are counted by their names in an hour, on each node; the others share the name `''`. */
export const HISTORY_MODELS_MAX = 100
/** Models that are listed, those with the most attempts. */
export const HISTORY_MODELS_SHOWN = 20
export const HISTORY_EVENTS_SHOWN = 50

/**
 * Kinds of failed attempts. `refused` the key (401, 402, 403); `rate_limited` 429; `rejected` another 4xx; `server_error`
 * 5xx; `broken` a response broke off; `unusable` it could not be read; `bad_request` the request's own fault, which is no
 * failure of the channel.
 */
export const FAILURE_KINDS = [
  'refused',
  'rate_limited',
  'rejected',
  'server_error',
  'timeout',
  'unreachable',
  'broken',
  'unusable',
  'bad_request',
] as const
export type FailureKind = (typeof FAILURE_KINDS)[number]
export type FailureCounts = Record<FailureKind, number>

export const noFailures = Object.fromEntries(FAILURE_KINDS.map(kind => [kind, 0])) as FailureCounts

/** Failures of the channel. */
export const failedIn = (counts: FailureCounts): number =>
  FAILURE_KINDS.reduce((sum, kind) => (kind === 'bad_request' ? sum : sum + counts[kind]), 0)

const KEY_REFUSED = [401, 402, 403]

export function kindOfStatus(status: number): FailureKind {
  if (KEY_REFUSED.includes(status)) return 'refused'
  if (status === 429) return 'rate_limited'
  if (status >= 500) return 'server_error'
  return status >= 400 ? 'rejected' : 'unusable'
}

/** `closed` the channel, `key_closed` one of its keys, `reopened` the channel: all by themselves. */
export const CHANNEL_EVENTS = ['cooldown', 'closed', 'key_closed', 'reopened'] as const
export type ChannelEvent = (typeof CHANNEL_EVENTS)[number]

/** A failure of a call, or what was found beside calls: by a `test`, that was too `slow`, or no `balance`. */
export const EVENT_CAUSES = [...FAILURE_KINDS, 'test', 'slow', 'balance'] as const
export type EventCause = (typeof EVENT_CAUSES)[number]

/** Attempts of an hour, a range or a model. */
export interface HistoryCounts extends FirstTokenCounts, FailureCounts {
  succeeded: number
}

export const HistoryQuery = z.object({
  days: z
    .string()
    .optional()
    .transform(text => (text ? Number(text) : HISTORY_DAYS))
    .pipe(z.int('history.days_range').min(1, 'history.days_range').max(HISTORY_DAYS, 'history.days_range')),
  /** Blank for all. */
  model: z
    .string()
    .optional()
    .transform(name => name || undefined),
})
