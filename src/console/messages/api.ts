/** JSON API of messages: the inbox of the signed-in user, and what administrators send. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import {
  type InboxMessage,
  MessageEdit,
  type MessageRecipient,
  MessageSearch,
  NewMessage,
  type SentMessage,
} from '../../contracts/message.ts'
import { Id, type Listing, optional, pageOf } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import {
  createMessage,
  deleteMessage,
  editMessage,
  findMessages,
  inboxMessage,
  listInbox,
  markAllRead,
  markRead,
  recipientsOf,
  sentMessage,
  unreadCount,
} from '../../domain/messages/index.ts'
import { rfc3339 } from '../../pure/time.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { guard } from '../guard.ts'

const PageQuery = z.object({ p: optional, page_size: optional })
const users = { signedIn: true } as const
const admins = { admin: true } as const

export const inboxApi = new Elysia({ prefix: '/api/user/messages' })
  .use(envelope)
  .use(guard)
  .get('', async ({ caller, query }) => ok(listing(await listInbox(caller.id, pageOf(query, 1)), received)), {
    ...users,
    query: PageQuery,
  })
  .get('/unread_count', async ({ caller }) => ok({ unread_count: await unreadCount(caller.id) }), users)
  .put('/read', async ({ caller }) => ok({ read_count: await markAllRead(caller.id) }), users)
  .get('/:id', async ({ caller, params }) => ok(received(await inboxMessage(caller.id, params.id))), {
    ...users,
    params: Id,
  })
  .put('/:id/read', async ({ caller, params }) => ok(received(await markRead(caller.id, params.id))), {
    ...users,
    params: Id,
  })

export const messageApi = new Elysia({ prefix: '/api/admin/messages' })
  .use(envelope)
  .use(guard)
  .get('', async ({ query }) => ok(listing(await findMessages({}, pageOf(query, 1)), sent)), {
    ...admins,
    query: PageQuery,
  })
  .get('/search', async ({ query }) => ok(listing(await findMessages(query, pageOf(query, 1)), sent)), {
    ...admins,
    query: MessageSearch,
  })
  .post('', async ({ actor, body }) => ok(sent(await createMessage(actor, parse(NewMessage, body)))), admins)
  .get('/:id', async ({ params }) => ok(sent(await sentMessage(params.id))), { ...admins, params: Id })
  .get('/:id/recipients', async ({ params, query }) => recipients(params.id, query), {
    ...admins,
    params: Id,
    query: PageQuery,
  })
  .put(
    '/:id',
    async ({ actor, params, body }) => ok(sent(await editMessage(actor, params.id, parse(MessageEdit, body)))),
    { ...admins, params: Id },
  )
  .delete('/:id', async ({ actor, params }) => ok(await deleteMessage(actor, params.id)), { ...admins, params: Id })

/** `data` is a bare array in this response, with the paging beside it. @throws Refusal 404 */
async function recipients(id: number, query: z.output<typeof PageQuery>) {
  await sentMessage(id)
  const { items, ...paging } = await recipientsOf(id, pageOf(query, 1))
  return { ...ok(items.map(recipient)), ...paging }
}

const listing = <Row, Item>({ items, ...paging }: Listing<Row>, itemOf: (row: Row) => Item) => ({
  ...paging,
  items: items.map(itemOf),
})

const timeOf = (at: number | null) => (at === null ? null : rfc3339(at))

const received = ({ created_time, read_time, ...text }: InboxMessage) => ({
  ...text,
  created_at: rfc3339(created_time),
  is_read: read_time !== null,
  read_at: timeOf(read_time),
})

const sent = ({ created_time, updated_time, total_recipients, read_count, ...message }: SentMessage) => ({
  ...message,
  created_at: rfc3339(created_time),
  updated_at: rfc3339(updated_time),
  stats: {
    total_recipients,
    read_count,
    unread_count: total_recipients - read_count,
    read_rate: rateOf(read_count, total_recipients),
  },
})

const recipient = ({ read_time, ...user }: MessageRecipient) => ({ ...user, read_at: timeOf(read_time) })

/** Percent with at most one decimal; 0 without recipients. */
const rateOf = (part: number, total: number) => (total ? Math.round((part / total) * 1000) / 10 : 0)
