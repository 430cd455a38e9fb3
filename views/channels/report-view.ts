/** What a channel's report shows. */
import type { KeyState } from '../../src/contracts/channel.ts'
import type { LimitReading } from '../../src/contracts/channel-limits.ts'
import type { ChannelListItem } from '../../src/contracts/channel-list.ts'
import type { Durations } from '../../src/contracts/channel-report.ts'
import type { Period } from '../dashboard/view.ts'

type Facts = Pick<
  ChannelListItem,
  'id' | 'name' | 'status' | 'label' | 'auto_disabled' | 'cooldown' | 'model_cooldowns' | 'used_quota'
>

export interface ChannelReport extends Facts {
  /** Hour by hour, oldest first; the running hour is the last. */
  periods: Period[]
  /** Of the last days. */
  sums: { calls: number; failed: number; quota: number }
  durations: Durations
  keys: KeyState[]
  /** In the provider's currency; absent while it has never been asked for. */
  balance?: { amount: number; at: number }
  errors: ReportedError[]
  /** The channels that serve the same models to the same groups, the busiest first. */
  traffic: Traffic
  events: StatusEvent[]
  limits: LimitReading[]
}

/** A failed attempt of the usage log. */
export interface ReportedError {
  id: number
  at: number
  model: string
  /** HTTP status, or the code of an error without one. */
  code: string
  text: string
}

export interface Traffic {
  rows: { id: number; name: string; calls: number }[]
  /** Calls of all of them. */
  calls: number
  /** Channels left out, and their calls. */
  others: { count: number; calls: number }
}

/** A change of the status: by an operator, or automatic. */
export interface StatusEvent {
  at: number
  text: string
  /** Absent for an automatic one. */
  by?: string
}
