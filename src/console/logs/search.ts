/** Reading the usage log, newest first, at any size: each search walks the index that leads to the fewest entries. */
import { type AnyColumn, and, desc, eq, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { LOGS_COUNTED_MAX, type LogFilter, LogType } from '../../contracts/log.ts'
import { db } from '../../db/database.ts'
import { count, unindexed } from '../../db/fragments.ts'
import type { Page } from '../../kit/paging.ts'
import { users } from '../users/table.ts'
import { modelsLike } from './models.ts'
import { isRare, type LogRow, logs } from './table.ts'

/** A filter with its permission inside: `user_id` is the one whose entries may be seen, absent for everyone's. */
export type Sought = Omit<LogFilter, 'username'> & { user_id?: number }

const NOBODY = -1

/** Only this person's entries; what only administrators may filter by does not count. */
export const ownOnly = ({ username, channel, ...filter }: LogFilter, user_id: number): Sought => ({
  ...filter,
  user_id,
})

/** Everyone's entries, or those of the person who has this name now. */
export async function anyones({ username, ...filter }: LogFilter): Promise<Sought> {
  if (username === undefined) return filter
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.username, username))
  return { ...filter, user_id: user?.id ?? NOBODY }
}

/** One page, and how many there are as far as they are counted. */
export async function findPage(sought: Sought, { page, size, offset }: Page) {
  const where = await conditionOf(sought)
  const rows = await db
    .select()
    .from(logs)
    .where(where)
    .orderBy(...newestFirst)
    .limit(size)
    .offset(offset)
  const isLast = rows.length < size && (rows.length > 0 || page === 1)
  const total = isLast ? offset + rows.length : await counted(where, LOGS_COUNTED_MAX + 1)
  return { rows, total: Math.min(total, LOGS_COUNTED_MAX), capped: total > LOGS_COUNTED_MAX }
}

export async function findOne(sought: Sought, id: number): Promise<LogRow | undefined> {
  const [row] = await db
    .select()
    .from(logs)
    .where(and(eq(logs.id, id), sought.user_id === undefined ? undefined : eq(logs.user_id, sought.user_id)))
  return row
}

const ROWS_AT_ONCE = 1000

/** Everything that matches, in batches. */
export async function* walk(sought: Sought): AsyncGenerator<LogRow[]> {
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

/** A column that must have one of these values. */
interface Narrowing {
  column: AnyColumn
  values: (number | string)[]
  /** What the index says beside it. */
  also?: SQL
}

/** The condition, written so that SQLite walks the index we chose: it cannot know how common a value is. */
export async function conditionOf(sought: Sought): Promise<SQL | undefined> {
  const inTime = during(sought)
  const isConsumption = sought.type === LogType.consume ? eq(logs.type, LogType.consume) : undefined
  const narrowings = await narrowingsOf(sought)
  const leading = await leadingOf(narrowings, inTime)
  return and(inTime, isConsumption, ...narrowings.map(one => (one === leading ? leads(one) : follows(one))))
}

const during = ({ start_timestamp, end_timestamp }: Sought) =>
  and(
    start_timestamp === undefined ? undefined : gte(logs.created_at, start_timestamp),
    end_timestamp === undefined ? undefined : lte(logs.created_at, end_timestamp),
  )

async function narrowingsOf({ user_id, type, token_name, model_name, group, channel }: Sought): Promise<Narrowing[]> {
  const narrowings: Narrowing[] = []
  const narrow = (column: AnyColumn, value: number | string | undefined) => {
    if (value !== undefined) narrowings.push({ column, values: [value] })
  }
  narrow(logs.user_id, user_id)
  narrow(logs.token_name, token_name)
  narrow(logs.group, group)
  narrow(logs.channel, channel)
  if (model_name !== undefined) narrowings.push({ column: logs.model_name, values: await modelsLike(model_name) })
  if (type && type !== LogType.consume) narrowings.push({ column: logs.type, values: [type], also: isRare(logs.type) })
  return narrowings
}

const leads = ({ column, values, also }: Narrowing) =>
  and(values.length === 1 ? eq(column, values[0]!) : inArray(column, values), also)

const follows = ({ column, values }: Narrowing) => inArray(unindexed(column), values)

/** As far as two narrowings are compared; one that leads further than this may not be sorted. */
const COMPARED_MAX = 50_000

/** The narrowing to the fewest entries. Several values have to be sorted by time, so only when they are few. */
async function leadingOf(narrowings: Narrowing[], inTime: SQL | undefined): Promise<Narrowing | undefined> {
  const [first] = narrowings
  if (narrowings.length < 2 && first?.values.length === 1) return first
  let leading: Narrowing | undefined
  let fewest = COMPARED_MAX
  for (const one of narrowings) {
    const entries = await counted(and(leads(one), inTime), COMPARED_MAX)
    if (entries < fewest || (!leading && one.values.length === 1)) [leading, fewest] = [one, entries]
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
