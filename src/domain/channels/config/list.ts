/** Channels as the list shows them: with what their type, groups and last hours say. */
import { ChannelStatus, type Cooldown } from '../../../contracts/channel.ts'
import { providerOf } from '../../../providers/index.ts'
import { commaList } from '../../../pure/lists.ts'
import { groupRatio } from '../../pricing/index.ts'
import { healthOf, type Outcomes } from '../health/hourly.ts'
import { cooldownOfChannel } from '../health/outcome.ts'
import { channelById, type RoutedChannel } from '../routing/routing-table.ts'
import type { Channel } from './service.ts'

export interface ChannelListItem
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
  rest: Cooldown | undefined
}

export async function listItemsOf(channels: Channel[]): Promise<ChannelListItem[]> {
  const health = await healthOf(channels.map(channel => channel.id))
  return Promise.all(channels.map(async channel => lineOf(channel, await channelById(channel.id), health)))
}

const lineOf = (
  channel: Channel,
  ready: RoutedChannel | undefined,
  health: Map<number, Outcomes[]>,
): ChannelListItem => ({
  ...channel,
  label: providerOf(channel.type)?.label ?? String(channel.type),
  keys: ready?.keys.length ?? 0,
  good_keys: ready?.good_keys.length ?? 0,
  groups: commaList(channel.group).map(name => ({ name, ratio: groupRatio(name) })),
  hours: health.get(channel.id)!,
  closed: autoDisableOf(channel),
  rest: ready && cooldownOfChannel(ready),
})

/** What its last change of state left behind, when nobody asked for it. */
export function autoDisableOf({
  status,
  other_info,
}: Pick<Channel, 'status' | 'other_info'>): ChannelListItem['closed'] {
  if (status !== ChannelStatus.autoDisabled || !other_info) return undefined
  const { status_reason, status_time } = JSON.parse(other_info)
  return { reason: String(status_reason), at: Number(status_time) }
}
