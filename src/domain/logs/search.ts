/** Reads the usage log, newest first, at any size: each search walks the index that leads to the fewest entries. */
import { type AnyColumn, and, asc, desc, eq, gt, gte, inArray, like, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { LOGS_COUNTED_MAX, type LogFilter, LogType } from '../../contracts/log.ts'
import type { Paging } from '../../contracts/paging.ts'
import { batchesOf } from '../../db/batches.ts'
import { db } from '../../db/database.ts'
import { dialect } from '../../db/dialect.ts'
import { count, knownByIndex, unindexed } from '../../db/fragments.ts'
import { now } from '../../process/clock.ts'
import { users } from '../users/table.ts'
import { matchesAnyModel, modelsMatching } from './model-filter.ts'
import { coveredBy, isError, isRare, type LogRow, logs, statusIn } from './table.ts'

/** A filter with its permission: `user_id` limits it to that user's entries; without it, everyone's match. */
export type LogScope = Omit<LogFilter, 'username'> & {
  user_id?: number
  token_id?: number
  /** Only calls: consumption and errors. */
  calls_only?: boolean
  /** Only errors with this status of the upstream. */
  status_code?: number
}

const NO_USER = -1

/** Limits a filter to one user's entries; its administrators' fields (`username`, `channel`) are ignored. */
export const scopeToUser = ({ username, channel, ...filter }: LogFilter, user_id: number): LogScope => ({
  ...filter,
  user_id,
})

/** Everyone's entries, or those of the user who has this name now. */
export async function scopeToAll({ username, ...filter }: LogFilter): Promise<LogScope> {
  if (username === undefined) return filter
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.username, username))
  return { ...filter, user_id: user?.id ?? NO_USER }
}

/** One page, and the number of matches; counting stops at 10,000, where `capped` is true. */
export async function findPage(scope: LogScope, { page, size, offset }: Paging) {
  const where = await conditionOf(scope)
  const rows = await db
    .select()
    .from(logs)
    .where(where)
    .orderBy(...newestFirst)
    .limit(size)
    .offset(offset)
  const isLast = rows.length < size && (rows.length > 0 || page === 1)
  const total = isLast ? offset + rows.length : await countUpTo(LOGS_COUNTED_MAX + 1, await conditionOf(scope, 'count'))
  return { rows, total: Math.min(total, LOGS_COUNTED_MAX), capped: total > LOGS_COUNTED_MAX }
}

/** One entry, whatever the filter. @returns undefined for an entry outside the scope's user */
export async function findOne({ user_id }: LogScope, id: number): Promise<LogRow | undefined> {
  const [row] = await db
    .select()
    .from(logs)
    .where(and(eq(logs.id, id), user_id === undefined ? undefined : eq(logs.user_id, user_id)))
  return row
}

/** A call of a user since a moment (unix seconds). @param named the token's name begins so */
export async function findCall(
  user_id: number,
  { request_id, named, since }: { request_id: string; named?: string; since: number },
): Promise<LogRow | undefined> {
  const [row] = await db
    .select()
    .from(logs)
    .where(
      and(
        eq(logs.user_id, user_id),
        gte(logs.created_at, since),
        named === undefined ? undefined : like(logs.token_name, `${named}%`),
        eq(logs.request_id, request_id),
      ),
    )
    .orderBy(...newestFirst)
    .limit(1)
  return row
}

/** Entries read for one request; a call ends within an hour. */
const ENTRIES_READ = 20_000
const CALL_SECONDS = 3600
const CLOCK_SECONDS = 60

/** The id of the entry of a request that began at a moment (unix seconds): its index leads to the entries of the hour after it. */
export async function findRequest(
  { user_id }: LogScope,
  request_id: string,
  began_at: number,
): Promise<number | undefined> {
  const hour = db
    .select({ id: logs.id, request_id: logs.request_id })
    .from(logs)
    .where(
      and(
        gte(logs.created_at, began_at - CLOCK_SECONDS),
        lte(logs.created_at, began_at + CALL_SECONDS),
        user_id === undefined ? undefined : eq(logs.user_id, user_id),
      ),
    )
    .orderBy(asc(logs.created_at))
    .limit(ENTRIES_READ)
    .as('hour')
  const [found] = await db.select({ id: hour.id }).from(hour).where(eq(hour.request_id, request_id)).limit(1)
  return found?.id
}

/** Every match, newest first, in batches. */
export async function* walk(scope: LogScope): AsyncGenerator<LogRow[]> {
  const where = await conditionOf(scope)
  yield* batchesOf<LogRow>((last, size) =>
    db
      .select()
      .from(logs)
      .where(and(where, last && olderThan(last)))
      .orderBy(...newestFirst)
      .limit(size),
  )
}

const COUNTED_AT_ONCE = 50_000

/** Number of entries older than a moment (unix seconds), counted in steps between which calls run. */
export async function countBefore(before: number): Promise<number> {
  let last: Pick<LogRow, 'id' | 'created_at'> | undefined
  for (let counted = 0; ; counted += COUNTED_AT_ONCE) {
    const left = and(lt(logs.created_at, before), last && newerThan(last))
    const [next] = await db
      .select({ id: logs.id, created_at: logs.created_at })
      .from(logs)
      .where(left)
      .orderBy(asc(logs.created_at), asc(logs.id))
      .limit(1)
      .offset(COUNTED_AT_ONCE - 1)
    if (!next) return counted + (await countUpTo(COUNTED_AT_ONCE, left))
    last = next
    await Bun.sleep(0)
  }
}

const newerThan = ({ created_at, id }: Pick<LogRow, 'id' | 'created_at'>) =>
  and(gte(logs.created_at, created_at), or(gt(logs.created_at, created_at), gt(logs.id, id)))

const newestFirst = [desc(logs.created_at), desc(logs.id)]

const olderThan = ({ created_at, id }: LogRow) =>
  and(lte(logs.created_at, created_at), or(lt(logs.created_at, created_at), lt(logs.id, id)))

/** An indexed column that must have one of these values. */
export interface IndexedFilter {
  column: AnyColumn
  values: (number | string)[]
}

const filterBy = (column: AnyColumn, value: number | string | undefined): IndexedFilter[] =>
  value === undefined ? [] : [{ column, values: [value] }]

/** The condition, written so that SQLite walks the chosen index: it cannot know how common a value is. */
export async function conditionOf(scope: LogScope, purpose: 'list' | 'count' = 'list'): Promise<SQL | undefined> {
  const inTime = during(scope)
  const isConsumption = scope.type === LogType.consume ? eq(unindexed(logs.type), LogType.consume) : undefined
  const isCall = scope.calls_only ? inArray(unindexed(logs.type), callTypes) : undefined
  const filters = await filtersOf(scope)
  if (scope.status_code !== undefined) return and(inTime, ofStatus(scope.status_code, filters), isCall)
  const leading = await leadingOf(filters, inTime, purpose)
  return and(
    inTime,
    ...filters.map(one => (one === leading ? holds(one, sql`${one.column}`) : follows(one, leading))),
    isConsumption,
    isCall,
  )
}

/** By the index of errors, the other filters in the entry: few errors have one status. */
const ofStatus = (status_code: number, filters: IndexedFilter[]) =>
  and(
    isError(logs.type),
    sql`${statusIn(logs.other)} = ${status_code}`,
    ...filters.map(({ column, values }) => inArray(unindexed(column), values)),
  )

const callTypes = [LogType.untyped, LogType.consume, LogType.error]

/** Always from a moment on: without it SQLite sorts the whole log for its newest entry of a type. */
export const during = ({ start_timestamp = 0, end_timestamp }: LogScope) =>
  and(
    gte(logs.created_at, start_timestamp),
    end_timestamp === undefined ? undefined : lte(logs.created_at, end_timestamp),
  )

export async function filtersOf({
  user_id,
  token_id,
  type,
  token_name,
  model_name,
  group,
  channel,
}: LogScope): Promise<IndexedFilter[]> {
  const isAnyModel = model_name === undefined || matchesAnyModel(model_name)
  return [
    // First: where all filters are common, this one has the fewest entries.
    ...filterBy(logs.type, type === LogType.consume ? undefined : type || undefined),
    ...filterBy(logs.user_id, user_id),
    ...filterBy(logs.token_id, token_id),
    ...filterBy(logs.token_name, token_name),
    ...filterBy(logs.group, group),
    ...filterBy(logs.channel, channel),
    ...(isAnyModel ? [] : [{ column: logs.model_name, values: await modelsMatching(model_name) }]),
  ]
}

export const holds = ({ column, values }: IndexedFilter, place: SQL): SQL =>
  and(inArray(place, values), column === logs.type ? isRare(place) : undefined)!

const isCovered = (one: IndexedFilter, leading: IndexedFilter | undefined) =>
  leading !== undefined && (coveredBy.get(leading.column)?.includes(one.column) ?? false)

/** The index of the leading filter tells; else one value is a step in its own index, and for many the entry is read. */
function follows(one: IndexedFilter, leading: IndexedFilter | undefined): SQL {
  if (isCovered(one, leading) || one.values.length > 1) return inArray(unindexed(one.column), one.values)
  return knownByIndex(logs, one.column, place => holds(one, place))
}

/** Filters are compared up to this many entries; it is also the most that is sorted. */
const COMPARED_MAX = 50_000
/** How much longer an entry takes that the leading index does not decide alone. */
const UNCOVERED_RATIO = 12

/** The filter that is quickest to walk. One with several values needs a sort in a list, so it leads only if it is small. */
async function leadingOf(
  filters: IndexedFilter[],
  inTime: SQL | undefined,
  purpose: 'list' | 'count',
): Promise<IndexedFilter | undefined> {
  // PostgreSQL chooses by its statistics.
  if (dialect === 'postgres') return undefined
  const isSorted = (one: IndexedFilter) => one.values.length === 1 || purpose === 'count'
  if (filters.length === 1 && isSorted(filters[0]!)) return filters[0]
  const costs = await Promise.all(
    filters.map(async one => {
      const entries = await commonness(and(holds(one, sql`${one.column}`), inTime))
      const coversAll = filters.every(other => other === one || isCovered(other, one))
      const leads = entries < COMPARED_MAX || isSorted(one)
      return { one, cost: leads ? entries * (coversAll ? 1 : UNCOVERED_RATIO) : Number.POSITIVE_INFINITY }
    }),
  )
  const quickest = costs.reduce((best, next) => (next.cost < best.cost ? next : best), {
    one: undefined as IndexedFilter | undefined,
    cost: Number.POSITIVE_INFINITY,
  })
  return quickest.one
}

/** The number of entries up to COMPARED_MAX; above it, more for what has as many in a shorter time. */
async function commonness(where: SQL | undefined): Promise<number> {
  const entries = await countUpTo(COMPARED_MAX, where)
  if (entries < COMPARED_MAX) return entries
  const [last] = await db
    .select({ created_at: logs.created_at })
    .from(logs)
    .where(where)
    .orderBy(desc(logs.created_at))
    .limit(1)
    .offset(COMPARED_MAX - 1)
  return entries * (1 + 1 / Math.max(1, now() - last!.created_at))
}

/** Number of entries, or `max` when there are as many. */
export async function countUpTo(max: number, where: SQL | undefined): Promise<number> {
  const matches = db
    .select({ one: sql`1`.as('one') })
    .from(logs)
    .where(where)
    .limit(max)
    .as('matches')
  const [row] = await db.select({ entries: count() }).from(matches)
  return row!.entries
}
