/** What a channel's history shows, and its address. */
import { CHANNELS_PATH } from '../../src/contracts/channel.ts'
import type { ChannelEvent, EventCause, FailureCounts, HistoryRange } from '../../src/contracts/channel-history.ts'
import type { Percentiles } from '../../src/contracts/channel-report.ts'
import { addressOf } from '../../src/contracts/list-address.ts'
import type { Grain } from '../../src/pure/periods.ts'

export interface HistoryView {
  days?: HistoryRange
  /** A date such as `2026-11-20`, which is shown by the hour. */
  day?: string
  /** All models without one; `''` are those that have no row of their own. */
  model?: string
  as?: 'table'
}

export const historyAt = (id: number, { model, ...view }: HistoryView = {}): string =>
  addressOf(`${CHANNELS_PATH}/${id}/history`, { page: 1, ...view, ...(model && { model }) })

export interface HistoryFigures {
  succeeded: number
  /** Without `bad_request`. */
  failed: number
  failures: FailureCounts
  /** Calls with a time to first token. */
  streamed: number
  first: Percentiles | undefined
}

export interface HistoryPeriod extends HistoryFigures {
  start: number
  /** In the reader's zone: `2026-11-20 14:00`. */
  from: string
  until: string
}

/** Cooldowns or closings of one kind, model and cause. */
export interface HistoryEvent {
  event: ChannelEvent
  model: string
  cause: EventCause
  times: number
  /** Length of the cooldowns. */
  ms: number
  /** Unix seconds of the last one, and its reason. */
  last_at: number
  reason: string
}

export interface ChannelHistory {
  id: number
  name: string
  grain: Grain
  /** Oldest first. */
  periods: HistoryPeriod[]
  /** Of the range and the chosen model. */
  sum: HistoryFigures
  /** Those with the most attempts, of the range. */
  models: (HistoryFigures & { model: string })[]
  /** All further models. */
  others: (HistoryFigures & { count: number }) | undefined
  events: HistoryEvent[]
}

/** A share of the attempts that are the channel's. @returns undefined without one */
export const successIn = ({ succeeded, failed }: Pick<HistoryFigures, 'succeeded' | 'failed'>): number | undefined =>
  succeeded + failed ? succeeded / (succeeded + failed) : undefined
