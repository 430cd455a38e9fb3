/** Messages as administrators write, find, edit and delete them. Every administrator may change any message. */
import { and, desc, eq, gte, inArray, lt, lte, or, sql } from 'drizzle-orm'
import { oncePerKey, type RepeatKey } from '../../cluster/idempotency.ts'
import type { Actor } from '../../contracts/actor.ts'
import {
  isAddressed,
  type MessageEdit,
  type MessageFilter,
  type NewMessage,
  type SentMessage,
} from '../../contracts/message.ts'
import type { Listing, Paging } from '../../contracts/paging.ts'
import { notFound, Refusal } from '../../contracts/refusal.ts'
import { atomic, lock, run } from '../../db/atomic.ts'
import { batchesOf } from '../../db/batches.ts'
import { db, type Tx } from '../../db/database.ts'
import { contains, count } from '../../db/fragments.ts'
import { now } from '../../process/clock.ts'
import { recordChange } from '../audit-log/index.ts'
import { insertRecipients } from './recipients.ts'
import { type MessageRow, messageRecipients, messages } from './table.ts'

/** One page of the messages that match, newest first. */
export async function findMessages(
  filter: MessageFilter,
  { page, size, offset }: Paging,
): Promise<Listing<SentMessage>> {
  const condition = conditionOf(filter)
  const rows = await db.select().from(messages).where(condition).orderBy(desc(messages.id)).limit(size).offset(offset)
  const [all] = await db.select({ total: count() }).from(messages).where(condition)
  return { items: await withStats(rows), total: all!.total, page, page_size: size }
}

/** Every match, newest first, in batches. */
export const walkMessages = (filter: MessageFilter): AsyncGenerator<SentMessage[]> =>
  batchesOf(async (last, size) => {
    const behind = and(conditionOf(filter), last && lt(messages.id, last.id))
    return withStats(await db.select().from(messages).where(behind).orderBy(desc(messages.id)).limit(size))
  })

const conditionOf = ({ keyword, start_date, end_date }: MessageFilter) =>
  and(
    keyword ? or(contains(messages.title, keyword), contains(messages.content, keyword)) : undefined,
    start_date === undefined ? undefined : gte(messages.created_time, start_date),
    end_date === undefined ? undefined : lte(messages.created_time, end_date),
  )

/** @throws Refusal 404 */
export async function sentMessage(id: number): Promise<SentMessage> {
  const [message] = await withStats(await db.select().from(messages).where(eq(messages.id, id)))
  if (!message) throw notFound('message.not_found')
  return message
}

/**
 * Sends a message, or stores nothing.
 * @param key of a request that may be repeated
 * @throws Refusal 400 when it has no recipient
 */
export function createMessage(
  actor: Actor,
  { user_ids, group, all, ...text }: NewMessage,
  key?: RepeatKey,
): Promise<SentMessage> {
  const to = { user_ids, group, all }
  const field = group && !all ? 'group' : 'user_ids'
  if (!isAddressed(to)) throw new Refusal('message.recipients_required', {}, 400, field)
  const send = function* (tx: Tx) {
    const at = now()
    const values = { ...text, created_by: actor.id, created_time: at, updated_time: at }
    const [message] = yield* run(tx.insert(messages).values(values).returning())
    const { id, title, content, format } = message!
    yield* run(insertRecipients(tx, id, at, to))
    const total_recipients = yield* countRecipients(tx, id)
    if (!total_recipients) throw new Refusal('message.recipients_required', {}, 400, field)
    yield* recordChange(tx, actor, {
      action: 'message.create',
      target: { kind: 'message', id, name: title },
      after: { title, content, format, recipients: total_recipients },
    })
    return { ...message!, total_recipients, read_count: 0 }
  }
  const once = { user_id: actor.id, action: 'message.create', key, body: { ...to, ...text } }
  return atomic(tx => oncePerKey(tx, once, send))
}

/** Changes the text; read marks stay. @throws Refusal 404 */
export async function editMessage(actor: Actor, id: number, edit: MessageEdit): Promise<SentMessage> {
  await atomic(function* (tx) {
    const before = textOf(yield* locked(tx, id))
    const after = { ...before, ...edit, format: edit.format ?? before.format }
    yield* run(
      tx
        .update(messages)
        .set({ ...after, updated_time: now() })
        .where(eq(messages.id, id)),
    )
    yield* recordChange(tx, actor, {
      action: 'message.edit',
      target: { kind: 'message', id, name: after.title },
      before,
      after,
    })
  })
  return sentMessage(id)
}

/** Deletes a message from every inbox. @throws Refusal 404 */
export const deleteMessage = (actor: Actor, id: number): Promise<void> =>
  atomic(function* (tx) {
    const { title, content, format } = yield* locked(tx, id)
    const recipients = yield* countRecipients(tx, id)
    yield* run(tx.delete(messages).where(eq(messages.id, id)))
    yield* recordChange(tx, actor, {
      action: 'message.delete',
      target: { kind: 'message', id, name: title },
      before: { title, content, format, recipients },
    })
  })

function* locked(tx: Tx, id: number) {
  const [message] = yield* lock(tx, messages, eq(messages.id, id))
  if (!message) throw notFound('message.not_found')
  return message
}

function* countRecipients(tx: Tx, id: number) {
  const [row] = yield* run(
    tx.select({ total: count() }).from(messageRecipients).where(eq(messageRecipients.message_id, id)),
  )
  return row!.total
}

const textOf = ({ title, content, format }: MessageRow) => ({ title, content, format })

/** Adds how many recipients each message has and how many have read it, with one query. */
async function withStats(rows: MessageRow[]): Promise<SentMessage[]> {
  if (!rows.length) return []
  const { message_id, read_time } = messageRecipients
  const stats = await db
    .select({ message_id, total_recipients: count(), read_count: sql<number>`count(${read_time})`.mapWith(Number) })
    .from(messageRecipients)
    .where(
      inArray(
        message_id,
        rows.map(row => row.id),
      ),
    )
    .groupBy(message_id)
    .orderBy(message_id)
  const byId = new Map(stats.map(({ message_id, ...counts }) => [message_id, counts]))
  return rows.map(row => ({ ...row, ...(byId.get(row.id) ?? { total_recipients: 0, read_count: 0 }) }))
}
