/** Channels as operators list and search them, one by one or by tag. */
import { and, asc, desc, eq, inArray, lt, max, ne, or, type SQL } from 'drizzle-orm'
import { ChannelStatus } from '../../../contracts/channel.ts'
import { pageOf } from '../../../contracts/paging.ts'
import { batchesOf } from '../../../db/batches.ts'
import { db } from '../../../db/database.ts'
import { contains, count, listed } from '../../../db/fragments.ts'
import { commaList } from '../../../pure/lists.ts'
import { channelsWithKey } from '../../routing/index.ts'
import { channels } from '../table.ts'
import { type Channel, viewOf } from './channel.ts'

export interface ChannelQuery {
  keyword?: string
  group?: string
  model?: string
  status?: number
  tag?: string
  /** Newest first instead of highest priority first. */
  id_sort?: boolean
  p?: string
  page_size?: string
}

const orderOf = ({ id_sort }: ChannelQuery) =>
  id_sort ? [desc(channels.id)] : [desc(channels.priority), desc(channels.id)]

/** One page of channels, without keys, and the number of all that match. */
export async function pageOfChannels(query: ChannelQuery): Promise<{ channels: Channel[]; total: number }> {
  const { size, offset } = pageOf({ ...query }, 0)
  const condition = await conditionOf(query)
  return { channels: await select({ condition, query, size, offset }), total: await countOf(condition) }
}

interface Slice {
  condition: SQL | undefined
  query: ChannelQuery
  size?: number
  offset?: number
}

async function select({ condition, query, size, offset = 0 }: Slice): Promise<Channel[]> {
  const rows = db
    .select()
    .from(channels)
    .where(condition)
    .orderBy(...orderOf(query))
  return (await (size === undefined ? rows : rows.limit(size).offset(offset))).map(row => viewOf(row, ''))
}

/** Number of all channels that match. */
export const countChannels = async (query: ChannelQuery): Promise<number> => countOf(await conditionOf(query))

/** Number of channels that disabled themselves. */
export const countAutoDisabled = () => countOf(eq(channels.status, ChannelStatus.autoDisabled))

async function countOf(condition: SQL | undefined): Promise<number> {
  const [counted] = await db.select({ total: count() }).from(channels).where(condition)
  return counted?.total ?? 0
}

/** A page in tag mode: its tags in order, then channels without one. */
export interface TagPage {
  tags: string[]
  untagged: Channel[]
  /** Tags and channels without one. */
  total: number
}

const isTagged = ne(channels.tag, '')
const isUntagged = eq(channels.tag, '')

/** The tags of matching channels, and matching channels without a tag: the size counts both. */
export async function pageOfTags(query: ChannelQuery): Promise<TagPage> {
  const { size, offset } = pageOf({ ...query }, 0)
  const condition = await conditionOf(query)
  const order = query.id_sort ? desc(max(channels.id)) : desc(max(channels.priority))
  const all = await db
    .select({ tag: channels.tag })
    .from(channels)
    .where(and(condition, isTagged))
    .groupBy(channels.tag)
    .orderBy(order, asc(channels.tag))
  const tags = all.slice(offset, offset + size).map(({ tag }) => tag)
  const left = size - tags.length
  const alone = and(condition, isUntagged)
  const untagged =
    left > 0 ? await select({ condition: alone, query, size: left, offset: Math.max(offset - all.length, 0) }) : []
  return { tags, untagged, total: all.length + (await countOf(alone)) }
}

/** Every channel of these tags, tag by tag, in the order of the tags. @param most of each tag */
export async function channelsOfTags(tags: string[], query: ChannelQuery, most = Number.POSITIVE_INFINITY) {
  if (!tags.length) return []
  const rows = await select({ condition: inArray(channels.tag, tags), query })
  const byTag = Map.groupBy(rows, channel => channel.tag)
  return tags.flatMap(tag => (byTag.get(tag) ?? []).slice(0, most))
}

/** A page in tag mode as a flat list: all channels of its tags, then those without one. */
export async function pageInTagMode(query: ChannelQuery): Promise<{ channels: Channel[]; total: number }> {
  const { tags, untagged, total } = await pageOfTags(query)
  return { channels: [...(await channelsOfTags(tags, query)), ...untagged], total }
}

/** Every match, newest first, in batches. */
export async function* walkChannels(query: ChannelQuery): AsyncGenerator<Channel[]> {
  const condition = await conditionOf(query)
  yield* batchesOf<Channel>(async (last, size) => {
    const behind = and(condition, last && lt(channels.id, last.id))
    const rows = await db.select().from(channels).where(behind).orderBy(desc(channels.id)).limit(size)
    return rows.map(row => viewOf(row, ''))
  })
}

async function conditionOf({ keyword, group, model, status, tag }: ChannelQuery): Promise<SQL | undefined> {
  const conditions: (SQL | undefined)[] = []
  if (keyword) {
    const ids = await channelsWithKey(keyword)
    if (/^\d{1,15}$/.test(keyword)) ids.push(Number(keyword))
    const text = or(contains(channels.name, keyword), contains(channels.base_url, keyword))
    conditions.push(ids.length ? or(inArray(channels.id, ids), text) : text)
  }
  if (group) conditions.push(listed(channels.group, group))
  if (model) conditions.push(contains(channels.models, model))
  if (status) conditions.push(eq(channels.status, status))
  if (tag) conditions.push(eq(channels.tag, tag))
  return and(...conditions)
}

/** Every group that a channel names, with or without a ratio. */
export async function groupsInUse(): Promise<string[]> {
  const rows = await db.selectDistinct({ group: channels.group }).from(channels).orderBy(asc(channels.group))
  return commaList(rows.map(row => row.group).join(','))
}

export async function tagsInUse(): Promise<string[]> {
  const rows = await db.selectDistinct({ tag: channels.tag }).from(channels).where(isTagged).orderBy(asc(channels.tag))
  return rows.map(({ tag }) => tag)
}
