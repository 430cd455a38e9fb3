/** Channels as the list shows them: with what their type, groups and last hours say. */
import { ChannelStatus, type Rest } from '../../../contracts/channel.ts'
import { providerOf } from '../../../providers/index.ts'
import { commaList } from '../../../pure/lists.ts'
import { groupRatio } from '../../pricing/index.ts'
import { healthOf, type Outcomes } from '../health/hourly.ts'
import { restOfChannel } from '../health/outcome.ts'
import { channelById, type ReadyChannel } from '../routing/routing-table.ts'
import type { Channel } from './service.ts'

export interface Line
  extends Pick<Channel, 'id' | 'name' | 'status' | 'response_time' | 'used_quota' | 'priority' | 'weight'> {
  /** What its type is called. */
  label: string
  /** How many keys it has, and how many of them are used. */
  keys: number
  good_keys: number
  groups: { name: string; ratio: number }[]
  hours: Outcomes[]
  /** Why and when it was closed by itself. */
  closed: { reason: string; at: number } | undefined
  /** While it takes no calls. */
  rest: Rest | undefined
}

export async function linesOf(channels: Channel[]): Promise<Line[]> {
  const health = await healthOf(channels.map(channel => channel.id))
  return Promise.all(channels.map(async channel => lineOf(channel, await channelById(channel.id), health)))
}

const lineOf = (channel: Channel, ready: ReadyChannel | undefined, health: Map<number, Outcomes[]>): Line => ({
  ...channel,
  label: providerOf(channel.type)?.label ?? String(channel.type),
  keys: ready?.keys.length ?? 0,
  good_keys: ready?.good_keys.length ?? 0,
  groups: commaList(channel.group).map(name => ({ name, ratio: groupRatio(name) })),
  hours: health.get(channel.id)!,
  closed: closingOf(channel),
  rest: ready && restOfChannel(ready),
})

/** What its last change of state left behind, when nobody asked for it. */
export function closingOf({ status, other_info }: Pick<Channel, 'status' | 'other_info'>): Line['closed'] {
  if (status !== ChannelStatus.autoDisabled || !other_info) return undefined
  const { status_reason, status_time } = JSON.parse(other_info)
  return { reason: String(status_reason), at: Number(status_time) }
}
