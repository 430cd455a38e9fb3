/** A row of the channel list: a channel, or a tag over its channels. */
import type { ChannelListItem, TagSummary } from '../../src/contracts/channel-list.ts'

export interface TagRow extends Omit<TagSummary, 'groups'> {
  groups: ChannelListItem['groups']
  isOpen: boolean
}

export type ListRow = (ChannelListItem & { isChild?: boolean }) | TagRow

/** Channels that an open tag shows at most. */
export const CHILDREN_MAX = 100

export const isTagRow = (row: ListRow): row is TagRow => 'count' in row

export const keyOfRow = (row: ListRow): string | number => (isTagRow(row) ? `tag-${row.tag}` : row.id)
export const nameOfRow = (row: ListRow): string => (isTagRow(row) ? row.tag : row.name)
