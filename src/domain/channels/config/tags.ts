/** What the parent row of a tag shows: sums and averages of its channels. */
import { inArray } from 'drizzle-orm'
import { ChannelStatus } from '../../../contracts/channel.ts'
import type { TagSummary } from '../../../contracts/channel-list.ts'
import { db } from '../../../db/database.ts'
import { commaList } from '../../../pure/lists.ts'
import { healthOfTags } from '../../routing/index.ts'
import { type ChannelRow, channels } from '../table.ts'

const columns = {
  tag: channels.tag,
  status: channels.status,
  group: channels.group,
  used_quota: channels.used_quota,
  response_time: channels.response_time,
  priority: channels.priority,
  weight: channels.weight,
}

/** In the order of the tags; a tag without channels is left out. */
export async function tagSummaries(tags: string[]): Promise<TagSummary[]> {
  if (!tags.length) return []
  const rows = await db.select(columns).from(channels).where(inArray(channels.tag, tags)).orderBy(channels.id)
  const health = await healthOfTags(tags)
  const byTag = Map.groupBy(rows, row => row.tag)
  return tags.flatMap(tag => {
    const members = byTag.get(tag)
    return members ? [{ ...summaryOf(members), tag, hours: health.get(tag)! }] : []
  })
}

type Member = Pick<ChannelRow, 'tag' | 'status' | 'group' | 'used_quota' | 'response_time' | 'priority' | 'weight'>

function summaryOf(members: Member[]): Omit<TagSummary, 'tag' | 'hours'> {
  const times = members.map(member => member.response_time).filter(ms => ms > 0)
  return {
    count: members.length,
    enabled: members.filter(member => member.status === ChannelStatus.enabled).length,
    used_quota: sum(members.map(member => member.used_quota)),
    response_time: times.length ? Math.round(sum(times) / times.length) : 0,
    priority: common(members.map(member => member.priority)),
    weight: common(members.map(member => member.weight)),
    groups: [...new Set(members.flatMap(member => commaList(member.group)))],
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
const common = (numbers: number[]) => (new Set(numbers).size === 1 ? numbers[0] : undefined)
