/** Rows of the channel list: channels, or tags with the channels of the open one and then channels without a tag. */
import { CHILDREN_MAX, type ListRow } from '../../../views/channels/row.ts'
import type { ChannelsView } from '../../../views/channels/view.ts'
import {
  type ChannelQuery,
  channelsOfTags,
  countChannels,
  listItemsOf,
  pageOfChannels,
  pageOfTags,
  tagSummaries,
} from '../../domain/channels/index.ts'
import { groupRatio } from '../../domain/pricing/index.ts'
import { cookieOf } from '../../web/request.ts'
import { type PageRequest, pagingOf } from '../list-page.ts'

interface Rows {
  items: ListRow[]
  /** What pages count: channels, or tags and channels without one. */
  total: number
  /** Matching channels. */
  count: number
  byTag: boolean
  byId: boolean
}

/** The channels of one tag are listed without it. */
export async function rowsOf(page: PageRequest<{ p?: string }>, view: ChannelsView): Promise<Rows> {
  const { page: number, size } = pagingOf(page)
  const byId = cookieOf(page.request, 'id-sort') === 'true'
  const byTag = cookieOf(page.request, 'channel-tag-mode') === 'true'
  const query = { ...view, id_sort: byId, p: String(number - 1), page_size: String(size) }
  if (byTag && !view.tag) return { ...(await tagRows(query, view.open)), byTag, byId }
  const { channels, total } = await pageOfChannels(query)
  return { items: await listItemsOf(channels, groupRatio), total, count: total, byTag, byId }
}

async function tagRows(query: ChannelQuery, open: string | undefined): Promise<Omit<Rows, 'byTag' | 'byId'>> {
  const { tags, untagged, total } = await pageOfTags(query)
  const opened = tags.filter(tag => tag === open)
  const children = await listItemsOf(await channelsOfTags(opened, query, CHILDREN_MAX), groupRatio)
  const items: ListRow[] = []
  for (const summary of await tagSummaries(tags)) {
    const isOpen = summary.tag === open
    const groups = summary.groups.map(name => ({ name, ratio: groupRatio(name) }))
    items.push({ ...summary, groups, isOpen })
    if (isOpen) items.push(...children.map(child => ({ ...child, isChild: true })))
  }
  items.push(...(await listItemsOf(untagged, groupRatio)))
  return { items, total, count: await countChannels(query) }
}
