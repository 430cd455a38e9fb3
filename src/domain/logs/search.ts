/** Reading the usage log, newest first, at any size: each search walks the index that leads to the fewest entries. */
import { type AnyColumn, and, desc, eq, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { LOGS_COUNTED_MAX, type LogFilter, LogType } from '../../contracts/log.ts'
import type { Paging } from '../../contracts/paging.ts'
import { db } from '../../db/database.ts'
import { count, knownByIndex, unindexed } from '../../db/fragments.ts'
import { users } from '../users/table.ts'
import { modelsLike } from './models.ts'
import { isRare, type LogRow, logs } from './table.ts'

/** A filter with its permission inside: `user_id` is the one whose entries may be seen, absent for everyone's. */
export type LogScope = Omit<LogFilter, 'username'> & { user_id?: number }

const NOBODY = -1

/** Only this person's entries; what only administrators may filter by does not count. */
export const scopeToUser = ({ username, channel, ...filter }: LogFilter, user_id: number): LogScope => ({
  ...filter,
  user_id,
})

/** Everyone's entries, or those of the person who has this name now. */
export async function scopeToAll({ username, ...filter }: LogFilter): Promise<LogScope> {
  if (username === undefined) return filter
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.username, username))
  return { ...filter, user_id: user?.id ?? NOBODY }
}

/** One page, and how many there are as far as they are counted. */
export async function findPage(sought: LogScope, { page, size, offset }: Paging) {
  const where = await conditionOf(sought)
  const rows = await db
    .select()
    .from(logs)
    .where(where)
    .orderBy(...newestFirst)
    .limit(size)
    .offset(offset)
  const isLast = rows.length < size && (rows.length > 0 || page === 1)
  const total = isLast ? offset + rows.length : await counted(await conditionOf(sought, 'count'), LOGS_COUNTED_MAX + 1)
  return { rows, total: Math.min(total, LOGS_COUNTED_MAX), capped: total > LOGS_COUNTED_MAX }
}

export async function findOne(sought: LogScope, id: number): Promise<LogRow | undefined> {
  const [row] = await db
    .select()
    .from(logs)
    .where(and(eq(logs.id, id), sought.user_id === undefined ? undefined : eq(logs.user_id, sought.user_id)))
  return row
}

const ROWS_AT_ONCE = 1000

/** Everything that matches, in batches. */
export async function* walk(sought: LogScope): AsyncGenerator<LogRow[]> {
  const where = await conditionOf(sought)
  let last: LogRow | undefined
  do {
    const rows = await db
      .select()
      .from(logs)
      .where(and(where, last && olderThan(last)))
      .orderBy(...newestFirst)
      .limit(ROWS_AT_ONCE)
    yield rows
    last = rows.length === ROWS_AT_ONCE ? rows.at(-1) : undefined
  } while (last)
}

const newestFirst = [desc(logs.created_at), desc(logs.id)]

const olderThan = ({ created_at, id }: LogRow) =>
  and(lte(logs.created_at, created_at), or(lt(logs.created_at, created_at), lt(logs.id, id)))

/** A column that must have one of these values, each of which an index knows. */
interface Narrowing {
  column: AnyColumn
  values: (number | string)[]
}

const narrowing = (column: AnyColumn, value: number | string | undefined) =>
  value === undefined ? [] : [{ column, values: [value] }]

/** The condition, written so that SQLite walks the index we chose: it cannot know how common a value is. */
export async function conditionOf(sought: LogScope, purpose: 'list' | 'count' = 'list'): Promise<SQL | undefined> {
  const inTime = during(sought)
  const isConsumption = sought.type === LogType.consume ? eq(unindexed(logs.type), LogType.consume) : undefined
  const narrowings = await narrowingsOf(sought)
  const leading = await leadingOf(narrowings, inTime, purpose)
  return and(
    inTime,
    ...narrowings.map(one => (one === leading ? holds(one, sql`${one.column}`) : follows(one))),
    isConsumption,
  )
}

const during = ({ start_timestamp, end_timestamp }: LogScope) =>
  and(
    start_timestamp === undefined ? undefined : gte(logs.created_at, start_timestamp),
    end_timestamp === undefined ? undefined : lte(logs.created_at, end_timestamp),
  )

async function narrowingsOf({ user_id, type, token_name, model_name, group, channel }: LogScope): Promise<Narrowing[]> {
  return [
    ...narrowing(logs.user_id, user_id),
    ...narrowing(logs.token_name, token_name),
    ...narrowing(logs.group, group),
    ...narrowing(logs.channel, channel),
    ...narrowing(logs.type, type === LogType.consume ? undefined : type || undefined),
    ...(model_name === undefined ? [] : [{ column: logs.model_name, values: await modelsLike(model_name) }]),
  ]
}

const holds = ({ column, values }: Narrowing, place: SQL): SQL =>
  and(inArray(place, values), column === logs.type ? isRare(place) : undefined)!

/** One value is a step in its index; for many it is quicker to look into the entry. */
const follows = (one: Narrowing): SQL =>
  one.values.length === 1
    ? knownByIndex(logs, one.column, place => holds(one, place))
    : inArray(unindexed(one.column), one.values)

/** As far as narrowings are compared, and the most that is sorted. */
const COMPARED_MAX = 50_000

/** The narrowing to the fewest entries. A list needs them by time, which several values are not: only few are sorted. */
async function leadingOf(
  narrowings: Narrowing[],
  inTime: SQL | undefined,
  purpose: 'list' | 'count',
): Promise<Narrowing | undefined> {
  const inOrder = (one: Narrowing) => one.values.length === 1 || purpose === 'count'
  if (narrowings.length === 1 && inOrder(narrowings[0]!)) return narrowings[0]
  let leading: Narrowing | undefined
  let fewest = COMPARED_MAX
  for (const one of narrowings) {
    const entries = await counted(and(holds(one, sql`${one.column}`), inTime), COMPARED_MAX)
    if (entries < fewest || (!leading && inOrder(one))) [leading, fewest] = [one, entries]
  }
  return leading
}

async function counted(where: SQL | undefined, most: number): Promise<number> {
  const few = db
    .select({ one: sql`1`.as('one') })
    .from(logs)
    .where(where)
    .limit(most)
    .as('few')
  const [row] = await db.select({ entries: count() }).from(few)
  return row!.entries
}
