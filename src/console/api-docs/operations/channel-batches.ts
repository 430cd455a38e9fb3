/** Operations on several channels at once. */
import { z } from 'zod'
import { BatchTag, ChannelIds, TagChange, TagName } from '../../../contracts/channel-batch.ts'
import type { OperationNotes } from './notes.ts'

const byIds = { body: ChannelIds, example: { ids: [1, 2] } }
const byTag = { body: TagName, example: { tag: 'eu' } }
const count = z.int().describe('Channels that were there.')

export const channelBatches: Record<string, OperationNotes> = {
  'POST /api/channel/batch': { summary: 'Deletes channels.', ...byIds, data: count },
  'POST /api/channel/batch/tag': {
    summary: 'Gives channels a tag; an empty one takes them out of theirs.',
    body: BatchTag,
    example: { ids: [1, 2], tag: 'eu' },
    data: count,
  },
  'POST /api/channel/batch/enabled': { summary: 'Enables channels.', ...byIds, data: count },
  'POST /api/channel/batch/disabled': { summary: 'Disables channels.', ...byIds, data: count },
  'POST /api/channel/batch/test': { summary: 'Tests channels in the background.', ...byIds },
  'PUT /api/channel/tag': {
    summary: 'Changes all channels of a tag.',
    description: 'Absent and empty fields stay unchanged; an empty `new_tag` dissolves the tag.',
    body: TagChange,
    example: { tag: 'eu', priority: 10 },
  },
  'POST /api/channel/tag/enabled': { summary: 'Enables all channels of a tag.', ...byTag, data: count },
  'POST /api/channel/tag/disabled': { summary: 'Disables all channels of a tag.', ...byTag, data: count },
  'POST /api/channel/tag/test': { summary: 'Tests all channels of a tag in the background.', ...byTag },
  'DELETE /api/channel/disabled': {
    summary: 'Deletes all channels that are disabled, by hand or automatically.',
    data: count,
  },
  'POST /api/channel/fix': {
    summary: 'Builds the table of models by group anew from all channels.',
    data: z.int().describe('Its rows.'),
  },
  'POST /api/channel/copy/:id': { summary: 'Copies a channel with its keys.' },
  'GET /api/channel/run/:kind': {
    summary: 'Progress and results of the latest test or balance run.',
    description: '`kind` is `test` or `balance`.',
  },
}
