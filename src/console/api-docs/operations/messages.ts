/** Operations of the inbox and of announcements. */
import { z } from 'zod'
import { MessageEdit, NewMessage } from '../../../contracts/message.ts'
import { listingOf } from '../../../contracts/paging.ts'
import type { OperationGroup } from './notes.ts'

const Received = z.looseObject({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  created_at: z.string(),
  is_read: z.boolean(),
  read_at: z.string().nullable(),
})

export const messages: OperationGroup = {
  noun: 'messages',
  title: 'Messages',
  operations: {
    'GET /api/user/messages': { summary: 'operation.inbox', data: listingOf(Received) },
    'GET /api/user/messages/unread_count': {
      summary: 'operation.unread',
      data: z.object({ unread_count: z.int() }),
    },
    'PUT /api/user/messages/read': { summary: 'operation.read_all', data: z.object({ read_count: z.int() }) },
    'GET /api/user/messages/:id': { summary: 'operation.message', data: Received },
    'PUT /api/user/messages/:id/read': { summary: 'operation.message_read', data: Received },
    'GET /api/admin/messages': { summary: 'operation.sent' },
    'GET /api/admin/messages/search': {
      summary: 'operation.sent_search',
      description: 'Dates are unix seconds, ISO dates or ISO times.',
    },
    'POST /api/admin/messages': {
      summary: 'operation.message_send',
      body: NewMessage,
      example: { title: 'Maintenance', content: 'On **Sunday**.', all: true },
    },
    'GET /api/admin/messages/:id': { summary: 'operation.sent_message' },
    'GET /api/admin/messages/:id/recipients': { summary: 'operation.recipients' },
    'PUT /api/admin/messages/:id': { summary: 'operation.message_edit', body: MessageEdit },
    'DELETE /api/admin/messages/:id': { summary: 'operation.message_delete' },
  },
}
