/** Operations of the inbox and of announcements. */
import { z } from 'zod'
import { MessageEdit, NewMessage } from '../../../contracts/message.ts'
import { listingOf } from '../answers.ts'
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
    'GET /api/user/messages': { summary: 'Own inbox, newest first.', data: listingOf(Received) },
    'GET /api/user/messages/unread_count': {
      summary: 'Number of unread messages.',
      data: z.object({ unread_count: z.int() }),
    },
    'PUT /api/user/messages/read': { summary: 'Marks all messages as read.', data: z.object({ read_count: z.int() }) },
    'GET /api/user/messages/:id': { summary: 'One message.', data: Received },
    'PUT /api/user/messages/:id/read': { summary: 'Marks a message as read.', data: Received },
    'GET /api/admin/messages': { summary: 'Sent messages with their readers.' },
    'GET /api/admin/messages/search': {
      summary: 'Sent messages by text and date.',
      description: 'Dates are unix seconds, ISO dates or ISO times.',
    },
    'POST /api/admin/messages': {
      summary: 'Sends a message to users, a group or everyone.',
      body: NewMessage,
      example: { title: 'Maintenance', content: 'On **Sunday**.', all: true },
    },
    'GET /api/admin/messages/:id': { summary: 'One sent message.' },
    'GET /api/admin/messages/:id/recipients': { summary: 'Recipients of a message and when they read it.' },
    'PUT /api/admin/messages/:id': { summary: 'Changes a sent message.', body: MessageEdit },
    'DELETE /api/admin/messages/:id': { summary: 'Deletes a message from every inbox.' },
  },
}
