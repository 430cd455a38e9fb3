/** The list of users, deregistered ones included. */
import { and, desc, eq, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { Role, UserStatus } from '../../contracts/account.ts'
import type { Listing, Paging } from '../../contracts/paging.ts'
import type { DatedUser, UserFilter, UserSort, UserStateName, UserView } from '../../contracts/user.ts'
import { batchesOf } from '../../db/batches.ts'
import { db } from '../../db/database.ts'
import { contains } from '../../db/fragments.ts'
import { type User, users } from './table.ts'
import { datedRowFor, type Reader, rowFor } from './view.ts'

export async function listUsers(reader: Reader, filter: UserFilter, paging: Paging): Promise<Listing<UserView>> {
  const { items, ...list } = await pageOfUsers(reader, filter, paging)
  return { ...list, items: items.map(user => rowFor(reader, user)) }
}

/** The same with the moments of the users. */
export async function listDatedUsers(reader: Reader, filter: UserFilter, paging: Paging): Promise<Listing<DatedUser>> {
  const { items, ...list } = await pageOfUsers(reader, filter, paging)
  return { ...list, items: items.map(user => datedRowFor(reader, user)) }
}

async function pageOfUsers(reader: Reader, filter: UserFilter, { page, size, offset }: Paging): Promise<Listing<User>> {
  const condition = conditionOf(reader, filter)
  // A search looks at every user once, for its page and its total; without one an index has both.
  const pageTotal = filter.keyword ? sql<number>`count(*) over ()`.mapWith(Number) : db.$count(users, condition)
  const found = await db
    .select({ id: users.id, total: pageTotal })
    .from(users)
    .where(condition)
    .orderBy(...orderOf(reader, filter.sort))
    .limit(size)
    .offset(offset)
  const ids = found.map(row => row.id)
  const rows = await select(inArray(users.id, ids))
  const byId = new Map(rows.map(user => [user.id, user]))
  const total = found[0]?.total ?? (offset ? await db.$count(users, condition) : 0)
  return { items: ids.flatMap(id => byId.get(id) ?? []), total, page, page_size: size }
}

/** Names of these users, deregistered ones included. */
export const userNames = (ids: number[]): Promise<{ id: number; name: string }[]> =>
  db.select({ id: users.id, name: users.username }).from(users).where(inArray(users.id, ids)).orderBy(users.id)

/** The users who are named so exactly and others who match, newest first; without those who have deregistered. */
export async function findUsers(reader: Reader, keyword: string, max: number): Promise<FoundUser[]> {
  const { id, username, display_name, role, status, quota } = users
  const find = (condition: SQL | undefined) =>
    db
      .select({ id, username, display_name, role, status, quota })
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

type FoundUser = Pick<User, 'id' | 'username' | 'display_name' | 'role' | 'status' | 'quota'>

/** Every match, newest first, in batches. */
export const walkUsers = (reader: Reader, filter: UserFilter): AsyncGenerator<DatedUser[]> =>
  batchesOf(async (last, size) => {
    const rows = await select(and(conditionOf(reader, filter), last && lt(users.id, last.id))).limit(size)
    return rows.map(user => datedRowFor(reader, user))
  })

const select = (condition: SQL | undefined) => db.select().from(users).where(condition).orderBy(desc(users.id))

const sorted = { spent: users.used_quota, left: users.quota, calls: users.request_count, seen: users.last_seen }

/** No index follows these columns, which each charged call writes. Users whose figures are not shown come last. */
function orderOf(reader: Reader, sort: UserSort | undefined): SQL[] {
  if (!sort) return [desc(users.id)]
  const column = sorted[sort.replace('-', '') as keyof typeof sorted]
  const hidden = seenBy(reader) && sql`case when ${seenBy(reader)} then 0 else 1 end`
  return [...(hidden ? [hidden] : []), sort.startsWith('-') ? sql`${column}` : desc(column), desc(users.id)]
}

const inState: Record<UserStateName, SQL | undefined> = {
  enabled: and(eq(users.status, UserStatus.enabled), isNull(users.deleted_time)),
  banned: and(eq(users.status, UserStatus.banned), isNull(users.deleted_time)),
  gone: isNotNull(users.deleted_time),
}

const conditionOf = (reader: Reader, { keyword, group, state, role, below }: UserFilter) =>
  and(
    group === undefined ? undefined : eq(users.group, group),
    state && inState[state],
    role === undefined ? undefined : eq(users.role, role),
    below === undefined ? undefined : and(lt(users.quota, below), seenBy(reader)),
    keyword ? matches(reader, keyword) : undefined,
  )

const matches = (reader: Reader, keyword: string) =>
  or(/^\d{1,15}$/.test(keyword) ? eq(users.id, Number(keyword)) : undefined, contains(searched(reader), keyword))

/** One text for each user, since PostgreSQL takes as long for a long `ilike` as for a short one. */
const searched = (reader: Reader): SQL =>
  sql`${users.username} || ${'\n'} || ${users.display_name} || ${'\n'} || ${emailSeenBy(reader)}`

/** A search must not find out an address that the list does not show. */
function emailSeenBy(reader: Reader) {
  const seen = seenBy(reader)
  return seen ? sql`case when ${seen} then ${users.email} else '' end` : users.email
}

/** `maySee` in SQL. @returns undefined for a reader who sees all */
const seenBy = ({ id, role }: Reader): SQL | undefined =>
  role >= Role.root ? undefined : or(lt(users.role, role), eq(users.id, id))
