/** The rows of the channel list: channels and tags. */
import type { Outcomes } from './availability.ts'
import type { Cooldowns } from './channel.ts'
import type { EndedService } from './provider-choice.ts'

export interface ChannelListItem extends Cooldowns {
  id: number
  name: string
  /** A `ChannelStatus`. */
  status: number
  tag: string
  /** Milliseconds of the last passed test; 0 before the first. */
  response_time: number
  test_time: number
  /** Status or code of the last test's failure; empty when it passed. */
  test_failure: string
  used_quota: number
  priority: number
  weight: number
  balance_updated_time: number
  /** Label of its provider. */
  label: string
  /** The provider has ended the service. */
  ended: EndedService | undefined
  /** Absent when its provider reports no balance. */
  left: { amount: number; currency: 'USD' | 'CNY' } | undefined
  /** Number of its keys, and of those that are enabled. */
  keys: number
  good_keys: number
  groups: { name: string; ratio: number }[]
  hours: Outcomes[]
  /** Reason and moment of the last auto-disable. */
  auto_disabled: { reason: string; at: number } | undefined
}

/** Sums and averages of the channels of a tag. */
export interface TagSummary {
  tag: string
  count: number
  enabled: number
  used_quota: number
  /** Average of the tested channels in milliseconds; 0 when none is. */
  response_time: number
  /** Absent where the channels differ. */
  priority: number | undefined
  weight: number | undefined
  groups: string[]
  hours: Outcomes[]
}
