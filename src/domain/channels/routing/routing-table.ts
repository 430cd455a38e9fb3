/** Channels as a call needs them: parsed once, unsealed once, kept until one is written. */
import { asc, desc } from 'drizzle-orm'
import { cache } from '../../../cluster/cache.ts'
import { digest, unseal } from '../../../crypto/sealing.ts'
import { db } from '../../../db/database.ts'
import { log, reason } from '../../../process/log.ts'
import { keysIn, providerOf } from '../../../providers/index.ts'
import { commaList } from '../../../pure/lists.ts'
import { abilities, type ChannelRow, channels, closedKeys } from '../table.ts'

export interface RoutedChannel {
  id: number
  name: string
  type: number
  status: number
  /** Empty: the provider's own. */
  base_url: string
  keys: string[]
  /** Those of them that calls may use. */
  good_keys: string[]
  models: string[]
  groups: string[]
  model_prefix: string
  model_mapping: Record<string, string>
  status_code_mapping: Record<string, string>
  param_override: Record<string, unknown>
  setting: ChannelSetting
  system_prompt: string
  openai_organization: string
  other: string
  test_model: string
  priority: number
  weight: number
  auto_ban: boolean
  max_input_tokens: number
}

/** What operators may write into `setting`; unknown keys are kept and mean nothing. */
export interface ChannelSetting {
  force_format?: boolean
  proxy?: string
  thinking_to_content?: boolean
  stream_support?: string
  pass_through_body?: boolean
  system_prompt?: string
  /** The system prompt stands instead of the caller's own, not before it. */
  system_prompt_override?: boolean
}

/** The keys in a text, as the provider of this type writes them. */
export const keysOf = (text: string, type: number): string[] => {
  const provider = providerOf(type)
  return provider ? keysIn(provider, text) : []
}

interface RoutingTable {
  byId: Map<number, RoutedChannel>
  /** Group, then model: the enabled channels, highest priority first. */
  byGroup: Map<string, Map<string, RoutedChannel[]>>
  /** Group, then model: also of disabled channels. */
  listed: Map<string, Set<string>>
}

const routingTable = cache(async (_: 'all'): Promise<RoutingTable> => {
  const rows = await db.select().from(channels).orderBy(asc(channels.id))
  const closed = await closedByChannel()
  const byId = new Map(rows.flatMap(row => readyOrNot(row, closed.get(row.id))).map(channel => [channel.id, channel]))
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

/** The hashes of the keys that are not used, by channel. */
async function closedByChannel(): Promise<Map<number, Set<string>>> {
  const hashes = new Map<number, Set<string>>()
  for (const { channel_id, key_hash } of await db.select().from(closedKeys).orderBy(asc(closedKeys.channel_id))) {
    hashes.set(channel_id, (hashes.get(channel_id) ?? new Set()).add(key_hash))
  }
  return hashes
}

/** Call after any write to a channel or its abilities. */
export const forgetChannels = () => routingTable.clear()

/** One channel that cannot be read (sealed under another key, say) must not take the others with it. */
function readyOrNot(row: ChannelRow, closed: ReadonlySet<string> | undefined): RoutedChannel[] {
  try {
    return [ready(row, closed)]
  } catch (error) {
    log.error('channel cannot be read', { channel: row.id, reason: reason(error) })
    return []
  }
}

function ready(row: ChannelRow, closed: ReadonlySet<string> = none): RoutedChannel {
  const keys = keysOf(unseal(row.key_sealed), row.type)
  return {
    ...row,
    keys,
    good_keys: closed.size ? keys.filter(key => !closed.has(digest(key))) : keys,
    models: commaList(row.models),
    groups: commaList(row.group),
    model_mapping: objectOf(row.model_mapping),
    status_code_mapping: objectOf(row.status_code_mapping),
    param_override: objectOf(row.param_override),
    setting: objectOf(row.setting),
    auto_ban: row.auto_ban === 1,
  }
}

const objectOf = (text: string) => (text ? JSON.parse(text) : {})

/** A name that several prefixes fit belongs to the longest: to none but the channels that have it. */
function ofLongestPrefix(serving: RoutedChannel[]): RoutedChannel[] {
  const longest = Math.max(...serving.map(channel => channel.model_prefix.length))
  return serving.filter(channel => channel.model_prefix.length === longest)
}

/** Names with a part that differs for every caller are served by what is listed with a star. */
export const listedName = (model: string) => model.replace(/(gpt-4o?-gizmo-).+$/, '$1*')

/** The enabled channels that serve a model to a group, highest priority first. */
export async function candidates(group: string, model: string): Promise<RoutedChannel[]> {
  return (await routingTable.get('all')).byGroup.get(group)?.get(listedName(model)) ?? []
}

/** Whether any channel, enabled or not, lists the model for the group. */
export async function isListed(group: string, model: string): Promise<boolean> {
  return (await routingTable.get('all')).listed.get(group)?.has(listedName(model)) ?? false
}

/**
 * What a channel's provider calls a model: the mapping is followed as far as it leads; a prefix is only for choosing
 * channels.
 */
export function upstreamModel({ model_mapping, model_prefix }: RoutedChannel, asked: string): string {
  const bare = asked.startsWith(model_prefix) ? asked.slice(model_prefix.length) : asked
  const seen = new Set<string>()
  let name = Object.hasOwn(model_mapping, asked) ? asked : bare
  while (Object.hasOwn(model_mapping, name) && !seen.has(name)) {
    seen.add(name)
    name = model_mapping[name]!
  }
  return name
}

/** A channel, enabled or not. */
export async function channelById(id: number): Promise<RoutedChannel | undefined> {
  return (await routingTable.get('all')).byId.get(id)
}

export const allChannels = async (): Promise<RoutedChannel[]> => [...(await routingTable.get('all')).byId.values()]

export async function channelNames(ids: number[]): Promise<Map<number, string>> {
  const { byId } = await routingTable.get('all')
  return new Map(ids.flatMap(id => (byId.has(id) ? [[id, byId.get(id)!.name]] : [])))
}

/** Ids of the channels that hold a key, as it was typed in. */
export async function channelsWithKey(key: string): Promise<number[]> {
  const { byId } = await routingTable.get('all')
  return [...byId.values()].filter(channel => channel.keys.includes(key)).map(channel => channel.id)
}

/** What is served to which group. */
export async function enabledAbilities(): Promise<{ group: string; model: string }[]> {
  const { byGroup } = await routingTable.get('all')
  return [...byGroup].flatMap(([group, models]) => [...models.keys()].map(model => ({ group, model })))
}

/** Every model that is served to any of these groups, by name. */
export async function enabledModels(groups: string[]): Promise<string[]> {
  const { byGroup } = await routingTable.get('all')
  return [...new Set(groups.flatMap(group => [...(byGroup.get(group)?.keys() ?? [])]))].sort()
}
