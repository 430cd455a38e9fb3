/** The list of users, deregistered ones included, newest first. */
import { and, desc, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { Role } from '../../contracts/account.ts'
import type { Listing, Paging } from '../../contracts/paging.ts'
import type { UserFilter, UserView } from '../../contracts/user.ts'
import { batchesOf } from '../../db/batches.ts'
import { db } from '../../db/database.ts'
import { contains } from '../../db/fragments.ts'
import { type User, users } from './table.ts'
import { type Reader, rowFor } from './view.ts'

export async function listUsers(
  reader: Reader,
  filter: UserFilter,
  { page, size, offset }: Paging,
): Promise<Listing<UserView>> {
  const condition = conditionOf(reader, filter)
  // A search looks at every user once, for its page and its total; without one an index has both.
  const pageTotal = filter.keyword ? sql<number>`count(*) over ()`.mapWith(Number) : db.$count(users, condition)
  const found = await db
    .select({ id: users.id, total: pageTotal })
    .from(users)
    .where(condition)
    .orderBy(desc(users.id))
    .limit(size)
    .offset(offset)
  const rows = await select(
    inArray(
      users.id,
      found.map(row => row.id),
    ),
  )
  const total = found[0]?.total ?? (offset ? await db.$count(users, condition) : 0)
  return { items: rows.map(user => rowFor(reader, user)), total, page, page_size: size }
}

/** Names of these users, deregistered ones included. */
export const userNames = (ids: number[]): Promise<{ id: number; name: string }[]> =>
  db.select({ id: users.id, name: users.username }).from(users).where(inArray(users.id, ids)).orderBy(users.id)

/** The users who are named so exactly and others who match, newest first; without those who have deregistered. */
export async function findUsers(reader: Reader, keyword: string, max: number): Promise<FoundUser[]> {
  const { id, username, display_name, role } = users
  const find = (condition: SQL | undefined) =>
    db
      .select({ id, username, display_name, role })
      .from(users)
      .where(and(condition, isNull(users.deleted_time)))
      .orderBy(desc(users.id))
      .limit(max)
  const [named, others] = await Promise.all([
    find(eq(users.username, keyword)),
    find(keyword ? matches(reader, keyword) : undefined),
  ])
  return [...named, ...others.filter(({ id }) => id !== named[0]?.id)].slice(0, max)
}

type FoundUser = Pick<User, 'id' | 'username' | 'display_name' | 'role'>

/** Every match, newest first, in batches. */
export const walkUsers = (reader: Reader, filter: UserFilter): AsyncGenerator<UserView[]> =>
  batchesOf(async (last, size) => {
    const rows = await select(and(conditionOf(reader, filter), last && lt(users.id, last.id))).limit(size)
    return rows.map(user => rowFor(reader, user))
  })

const select = (condition: SQL | undefined) => db.select().from(users).where(condition).orderBy(desc(users.id))

const conditionOf = (reader: Reader, { keyword, group }: UserFilter) =>
  and(group === undefined ? undefined : eq(users.group, group), keyword ? matches(reader, keyword) : undefined)

const matches = (reader: Reader, keyword: string) =>
  or(/^\d{1,15}$/.test(keyword) ? eq(users.id, Number(keyword)) : undefined, contains(searched(reader), keyword))

/** One text for each user, since PostgreSQL takes as long for a long `ilike` as for a short one. */
const searched = (reader: Reader): SQL =>
  sql`${users.username} || ${'\n'} || ${users.display_name} || ${'\n'} || ${emailSeenBy(reader)}`

/** A search must not find out an address that the list does not show: `maySee` in SQL. */
const emailSeenBy = ({ id, role }: Reader) =>
  role >= Role.root
    ? users.email
    : sql`case when ${users.role} < ${role} or ${users.id} = ${id} then ${users.email} else '' end`
