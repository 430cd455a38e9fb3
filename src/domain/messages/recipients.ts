/** Recipients of messages: who can be chosen, and who has read. */
import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { UserStatus } from '../../contracts/account.ts'
import type { Addressees, MessageRecipient } from '../../contracts/message.ts'
import type { Listing, Paging } from '../../contracts/paging.ts'
import { db, type Tx } from '../../db/database.ts'
import { contains, count } from '../../db/fragments.ts'
import { users } from '../users/table.ts'
import { messageRecipients } from './table.ts'

/** Neither banned nor deleted. */
const isActive = and(eq(users.status, UserStatus.enabled), isNull(users.deleted_time))

const addressed = ({ user_ids, group, all }: Addressees) =>
  all
    ? isActive
    : and(
        isActive,
        or(group ? eq(users.group, group) : undefined, user_ids.length ? inArray(users.id, user_ids) : undefined),
      )

/** Inserts a row for each addressed user, in one statement. */
export const insertRecipients = (tx: Tx, message_id: number, created_time: number, to: Addressees) =>
  tx.insert(messageRecipients).select(
    tx
      .select({
        user_id: users.id,
        message_id: sql<number>`cast(${message_id} as bigint)`.as('message_id'),
        read_time: sql<null>`cast(null as bigint)`.as('read_time'),
        created_time: sql<number>`cast(${created_time} as bigint)`.as('created_time'),
      })
      .from(users)
      .where(addressed(to)),
  )

/** One page of a message's recipients, oldest user first. */
export async function recipientsOf(
  message_id: number,
  { page, size, offset }: Paging,
): Promise<Listing<MessageRecipient>> {
  const ofMessage = eq(messageRecipients.message_id, message_id)
  const items = await db
    .select({
      user_id: messageRecipients.user_id,
      username: users.username,
      display_name: users.display_name,
      read_time: messageRecipients.read_time,
    })
    .from(messageRecipients)
    .innerJoin(users, eq(users.id, messageRecipients.user_id))
    .where(ofMessage)
    .orderBy(asc(messageRecipients.user_id))
    .limit(size)
    .offset(offset)
  const [all] = await db.select({ total: count() }).from(messageRecipients).where(ofMessage)
  return { items, total: all!.total, page, page_size: size }
}

interface PickableUser {
  id: number
  username: string
  display_name: string
  group: string
}

/** One page of the users who can receive messages, by a part of their names. */
export async function pickableUsers(keyword: string, { page, size, offset }: Paging): Promise<Listing<PickableUser>> {
  const { id, username, display_name, group } = users
  const condition = and(
    isActive,
    keyword ? or(contains(username, keyword), contains(display_name, keyword)) : undefined,
  )
  const items = await db
    .select({ id, username, display_name, group })
    .from(users)
    .where(condition)
    .orderBy(asc(id))
    .limit(size)
    .offset(offset)
  const [all] = await db.select({ total: count() }).from(users).where(condition)
  return { items, total: all!.total, page, page_size: size }
}

/** Names of the users among these ids who can receive messages, by id. */
export async function usernamesOf(ids: number[]): Promise<Map<number, string>> {
  const rows = await db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(and(isActive, inArray(users.id, ids)))
    .orderBy(asc(users.id))
  return new Map(rows.map(({ id, username }) => [id, username]))
}
