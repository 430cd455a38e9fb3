/** Operations on several channels at once. */
import { z } from 'zod'
import { BatchTag, ChannelIds, TagChange, TagName } from '../../../contracts/channel-batch.ts'
import type { OperationNotes } from './notes.ts'

const byIds = { body: ChannelIds, example: { ids: [1, 2] } }
const byTag = { body: TagName, example: { tag: 'eu' } }
const count = z.int().describe('Channels that were there.')

export const channelBatches: Record<string, OperationNotes> = {
  'POST /api/channel/batch': { summary: 'operation.channels_delete', ...byIds, data: count },
  'POST /api/channel/batch/tag': {
    summary: 'operation.channels_tag',
    body: BatchTag,
    example: { ids: [1, 2], tag: 'eu' },
    data: count,
  },
  'POST /api/channel/batch/enabled': { summary: 'operation.channels_enable', ...byIds, data: count },
  'POST /api/channel/batch/disabled': { summary: 'operation.channels_disable', ...byIds, data: count },
  'POST /api/channel/batch/test': { summary: 'operation.channels_test', ...byIds },
  'PUT /api/channel/tag': {
    summary: 'operation.tag_edit',
    description: 'Absent and empty fields stay unchanged; an empty `new_tag` dissolves the tag.',
    body: TagChange,
    example: { tag: 'eu', priority: 10 },
  },
  'POST /api/channel/tag/enabled': { summary: 'operation.tag_enable', ...byTag, data: count },
  'POST /api/channel/tag/disabled': { summary: 'operation.tag_disable', ...byTag, data: count },
  'POST /api/channel/tag/test': { summary: 'operation.tag_test', ...byTag },
  'DELETE /api/channel/disabled': {
    summary: 'operation.channels_delete_disabled',
    data: count,
  },
  'POST /api/channel/fix': {
    summary: 'operation.channels_fix',
    data: z.int().describe('Its rows.'),
  },
  'POST /api/channel/copy/:id': { summary: 'operation.channel_copy' },
  'GET /api/channel/run/:kind': {
    summary: 'operation.channels_run',
    description: '`kind` is `test` or `balance`.',
  },
}
