/** The routing table: every channel parsed and unsealed once, cached until a channel or a key is written. */
import { asc, desc } from 'drizzle-orm'
import { cache } from '../../cluster/cache.ts'
import { digest, unseal } from '../../crypto/sealing.ts'
import { db } from '../../db/database.ts'
import { log, reason } from '../../process/log.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import { abilities, type ChannelRow, channels, disabledKeys } from '../channels/table.ts'
import { keysOf } from './channel-keys.ts'
import { type RoutedChannel, routedOf } from './routed-channel.ts'

interface RoutingTable {
  byId: Map<number, RoutedChannel>
  /** Group, then model: the enabled channels, highest priority first. */
  byGroup: Map<string, Map<string, RoutedChannel[]>>
  /** Group, then model: also of disabled channels. */
  listed: Map<string, Set<string>>
}

/** Name of the cache; see `announceChannels`. */
export const CHANNELS = 'channels'

const routingTable = cache(CHANNELS, async (_: 'all'): Promise<RoutingTable> => {
  const rows = await db.select().from(channels).orderBy(asc(channels.id))
  const disabled = await disabledHashes()
  const byId = new Map(
    rows.flatMap(row => parsedOrSkipped(row, disabled.get(row.id))).map(channel => [channel.id, channel]),
  )
  const all = await db
    .select()
    .from(abilities)
    .orderBy(desc(abilities.priority), desc(abilities.weight), asc(abilities.channel_id))
  const byGroup: RoutingTable['byGroup'] = new Map()
  const listed: RoutingTable['listed'] = new Map()
  for (const { group, model, channel_id, enabled } of all) {
    listed.set(group, (listed.get(group) ?? new Set()).add(model))
    const channel = enabled && byId.get(channel_id)
    if (!channel) continue
    const models = byGroup.get(group) ?? new Map<string, RoutedChannel[]>()
    byGroup.set(group, models)
    const serving = models.get(model) ?? []
    models.set(model, serving)
    serving.push(channel)
  }
  for (const models of byGroup.values()) {
    for (const [model, serving] of models) models.set(model, ofLongestPrefix(serving))
  }
  return { byId, byGroup, listed }
})

const none: ReadonlySet<string> = new Set()

/** Hashes of the disabled keys, by channel. */
async function disabledHashes(): Promise<Map<number, Set<string>>> {
  const hashes = new Map<number, Set<string>>()
  for (const { channel_id, key_hash } of await db.select().from(disabledKeys).orderBy(asc(disabledKeys.channel_id))) {
    hashes.set(channel_id, (hashes.get(channel_id) ?? new Set()).add(key_hash))
  }
  return hashes
}

/** Skips a channel that cannot be read, for example one sealed under another secret key, so that the others serve. */
function parsedOrSkipped(row: ChannelRow, disabled: ReadonlySet<string> | undefined): RoutedChannel[] {
  try {
    return [parsed(row, disabled)]
  } catch (error) {
    log.error('channel cannot be read', { channel: row.id, reason: reason(error) })
    return []
  }
}

function parsed(row: ChannelRow, disabled: ReadonlySet<string> = none): RoutedChannel {
  const keys = keysOf(unseal(row.key_sealed), row.type)
  const good_keys = disabled.size ? keys.filter(key => !disabled.has(digest(key))) : keys
  return { ...routedOf(row, keys), good_keys }
}

/** The longest prefix wins where channels with different model prefixes serve the same name. */
function ofLongestPrefix(serving: RoutedChannel[]): RoutedChannel[] {
  const longest = Math.max(...serving.map(channel => channel.model_prefix.length))
  return serving.filter(channel => channel.model_prefix.length === longest)
}

/** The name under which abilities list a model: GPT ids, which differ per caller, are listed as `gpt-4-gizmo-*`. */
export const listedName = (model: string) => (model.includes('-gizmo-') ? model.replace(gizmo, '$1*') : model)

const gizmo = /(gpt-4o?-gizmo-).+$/

/** The enabled channels that serve a model to a group, highest priority first. */
export const servingChannels = (group: string, model: string): Awaitable<RoutedChannel[]> =>
  chain(routingTable.get('all'), ({ byGroup }) => byGroup.get(group)?.get(listedName(model)) ?? [])

/** Whether any channel, enabled or not, lists the model for the group. */
export async function isListed(group: string, model: string): Promise<boolean> {
  return (await routingTable.get('all')).listed.get(group)?.has(listedName(model)) ?? false
}

/** A channel, enabled or not. @returns undefined for an unknown id or a channel that cannot be read */
export async function channelById(id: number): Promise<RoutedChannel | undefined> {
  return (await routingTable.get('all')).byId.get(id)
}

export const allChannels = async (): Promise<RoutedChannel[]> => [...(await routingTable.get('all')).byId.values()]

/** Ids of the channels that have exactly this key. */
export async function channelsWithKey(key: string): Promise<number[]> {
  const { byId } = await routingTable.get('all')
  return [...byId.values()].filter(channel => channel.keys.includes(key)).map(channel => channel.id)
}

interface EnabledAbility {
  group: string
  model: string
}

/** Every pair of group and model that an enabled channel serves. */
export async function enabledAbilities(): Promise<EnabledAbility[]> {
  const { byGroup } = await routingTable.get('all')
  return [...byGroup].flatMap(([group, models]) => [...models.keys()].map(model => ({ group, model })))
}

/** What lists show of them: a prefixed name replaces the bare one of its group, which calls may still use. */
export async function offeredAbilities(): Promise<EnabledAbility[]> {
  const { byGroup } = await routingTable.get('all')
  return [...byGroup].flatMap(([group, models]) => {
    const prefixed = [...models].filter(([, [channel]]) => channel!.model_prefix)
    const replaced = new Set(prefixed.map(([model, [channel]]) => model.slice(channel!.model_prefix.length)))
    return [...models.keys()].filter(model => !replaced.has(model)).map(model => ({ group, model }))
  })
}

/** Every model that is offered to any of these groups, sorted by name. */
export async function offeredModels(groups: string[]): Promise<string[]> {
  const offered = (await offeredAbilities()).filter(({ group }) => groups.includes(group))
  return [...new Set(offered.map(({ model }) => model))].sort()
}

/** Every model that is served to any of these groups, sorted by name. */
export async function enabledModels(groups: string[]): Promise<string[]> {
  const { byGroup } = await routingTable.get('all')
  return [...new Set(groups.flatMap(group => [...(byGroup.get(group)?.keys() ?? [])]))].sort()
}

/** Ids of the enabled channels that serve a model of this one to the same group, itself included. */
export async function sharingWith(id: number): Promise<Set<number>> {
  const { byGroup } = await routingTable.get('all')
  const serving = [...byGroup.values()].flatMap(models => [...models.values()])
  const shared = serving.filter(channels => channels.some(channel => channel.id === id))
  return new Set([id, ...shared.flat().map(channel => channel.id)])
}
