/** Channels as the list page shows them: with provider label, group ratios, recent health and cooldown. */
import { inArray } from 'drizzle-orm'
import type { ChannelListItem } from '../../../contracts/channel-list.ts'
import { db } from '../../../db/database.ts'
import { providerOf } from '../../../providers/index.ts'
import { commaList } from '../../../pure/lists.ts'
import { autoDisableOf, channelById, cooldownsOf, healthOf, type RoutedChannel } from '../../routing/index.ts'
import { channels } from '../table.ts'
import { endedService } from './catalogue.ts'
import type { Channel } from './channel.ts'

/** @param ratioOf price factor of a group */
export async function listItemsOf(rows: Channel[], ratioOf: (group: string) => number): Promise<ChannelListItem[]> {
  const health = await healthOf(rows.map(channel => channel.id))
  const itemOf = (channel: Channel, routed: RoutedChannel | undefined): ChannelListItem => ({
    ...channel,
    label: providerOf(channel.type)?.label ?? String(channel.type),
    ended: endedService(channel.type),
    left: leftOf(channel),
    keys: routed?.keys.length ?? 0,
    good_keys: routed?.good_keys.length ?? 0,
    groups: commaList(channel.group).map(name => ({ name, ratio: ratioOf(name) })),
    hours: health.get(channel.id)!,
    auto_disabled: autoDisableOf(channel),
    ...cooldownsOf(routed),
  })
  return Promise.all(rows.map(async channel => itemOf(channel, await channelById(channel.id))))
}

function leftOf({ type, balance }: Channel): ChannelListItem['left'] {
  const provider = providerOf(type)
  return provider?.balance && { amount: balance, currency: provider.balance_currency ?? 'USD' }
}

/** Currency of a channel's balance. @returns undefined for an unknown channel */
export async function currencyOf(id: number): Promise<'USD' | 'CNY' | undefined> {
  const channel = await channelById(id)
  return channel && (providerOf(channel.type)?.balance_currency ?? 'USD')
}

/** Id and name of these channels, or of all, in the order of their ids. */
export const channelNames = (ids?: number[]): Promise<{ id: number; name: string }[]> =>
  db
    .select({ id: channels.id, name: channels.name })
    .from(channels)
    .where(ids && inArray(channels.id, ids))
    .orderBy(channels.id)
