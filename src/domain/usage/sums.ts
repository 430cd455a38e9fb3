/** Sums of usage by column and period: of one user from hourly usage, of the site from roll-ups. */
import { type AnyColumn, and, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { UsageSums } from '../../contracts/dashboard.ts'
import { db } from '../../db/database.ts'
import { total } from '../../db/fragments.ts'
import { cachedSums } from './cached-sums.ts'
import { columnOf, DAY_SECONDS, HOUR_SECONDS } from './roll-up.ts'
import { isIn, partsOf, type Span } from './spans.ts'
import { type RollUpKind, rollUps, usageHours } from './table.ts'

/** Whose usage: one user's, or without an id the site's. */
export interface UsageScope {
  user_id?: number
}

interface PeriodSums extends UsageSums {
  /** Index of the period, or the hour. */
  period: number
}

export interface UsageSum extends PeriodSums {
  /** Name of a model, a group or the playground, id of a token, user or channel. */
  key: string
}

/** First hours of the periods of a range, ascending; `hours`: each hour is one; none: the range is one. */
type Periods = readonly number[] | 'hours'

export type UserColumn = Exclude<RollUpKind, 'user'>
type UserSum<Column extends UserColumn> = PeriodSums & Record<Column, string>

/** Usage of a user in a range of whole hours, by several columns at once: the hours are read once. */
export async function usageOfUser<Column extends UserColumn>(
  user_id: number,
  columns: readonly Column[],
  range: Span,
  periods: Periods = [],
): Promise<UserSum<Column>[]> {
  const keys = Object.fromEntries(columns.map(name => [name, sql`${columnOf[name]}`]))
  const rows = await db
    .select({ period: periodOf(usageHours.hour, periods), ...keys, ...sums(usageHours) })
    .from(usageHours)
    .where(isOfUser(user_id, range))
    .groupBy(...positions(columns.length + 1))
  return rows.map(row => ({ ...row, ...textsIn(row, columns) })) as unknown as UserSum<Column>[]
}

/** Quota that each of these users has spent since the start of an hour; those who have spent none are left out. */
export async function spentByUsers(ids: number[], since: number): Promise<Map<number, number>> {
  const rows = await db
    .select({ id: usageHours.user_id, quota: total(usageHours.quota) })
    .from(usageHours)
    .where(and(inArray(usageHours.user_id, ids), gte(usageHours.hour, since)))
    .groupBy(usageHours.user_id)
  return new Map(rows.map(({ id, quota }) => [id, quota]))
}

/** Usage of the site in a range of whole hours. */
export async function usageOfSite(kind: RollUpKind, range: Span, periods: Periods = []): Promise<UsageSum[]> {
  const parts = await siteParts(range, periods)
  const rows = await Promise.all([
    ...parts.rolled.map(({ span, spans }) =>
      cachedSums(JSON.stringify([kind, span, spans, periods]), parts.revision, () =>
        db
          .select({ period: periodOf(rollUps.start, periods), key: rollUps.key, ...sums(rollUps) })
          .from(rollUps)
          .where(isRolledUp(span, kind, spans))
          .groupBy(...positions(2)),
      ),
    ),
    ...parts.live.map(hours =>
      db
        .select({
          period: periodOf(usageHours.hour, periods),
          key: sql`${columnOf[kind]}`.mapWith(String),
          ...sums(usageHours),
        })
        .from(usageHours)
        .where(isIn(usageHours.hour, [hours]))
        .groupBy(...positions(2)),
    ),
  ])
  return merged(rows)
}

/** Rows of several parts by key and period. Those that stand in one part alone are the rows themselves, to be read only. */
function merged(parts: (readonly UsageSum[])[]): UsageSum[] {
  const [most = [], ...others] = parts.sort((one, other) => other.length - one.length)
  const further = addedUp(others.flat(), ({ key, period }) => ({ key, period }))
  if (!further.length) return [...most]
  const byPeriod = new Map(
    Map.groupBy(further, ({ period }) => period)
      .entries()
      .map(([period, sums]) => [period, new Map(sums.map(sum => [sum.key, sum]))]),
  )
  const rows = most.map(row => {
    const same = byPeriod.get(row.period)?.get(row.key)
    if (!same) return row
    add(same, row)
    return same
  })
  for (const { period, key } of most) byPeriod.get(period)?.delete(key)
  return [...rows, ...[...byPeriod.values()].flatMap(left => [...left.values()])]
}

/** Sums over everything in a range of whole hours. */
export async function totalUsage({ user_id }: UsageScope, range: Span): Promise<UsageSums> {
  if (user_id !== undefined)
    return sumOf(await db.select(sums(usageHours)).from(usageHours).where(isOfUser(user_id, range)))
  return sumOf(await usageOfSite('group', range))
}

const isOfUser = (user_id: number, { from, until }: Span) =>
  and(eq(usageHours.user_id, user_id), gte(usageHours.hour, from), lt(usageHours.hour, until))

const isRolledUp = (span: number, kind: RollUpKind, spans: Span[]) =>
  and(eq(rollUps.span, span), eq(rollUps.kind, kind), isIn(rollUps.start, spans))

/** Days serve a range in one period, and periods of whole days of UTC: those of most zones begin at other hours. */
async function siteParts(range: Span, periods: Periods) {
  if (range.from >= range.until) return { rolled: [], live: [], revision: 0 }
  const { days, hours, live, revision } = await partsOf(range)
  const rolled = !isOfDays(periods)
    ? [{ span: HOUR_SECONDS, spans: [...days, ...hours] }]
    : [
        { span: DAY_SECONDS, spans: days },
        { span: HOUR_SECONDS, spans: hours },
      ]
  return { rolled: rolled.filter(({ spans }) => spans.length), live, revision }
}

const isOfDays = (periods: Periods) => periods !== 'hours' && periods.every(start => start % DAY_SECONDS === 0)

export const sumOf = (parts: readonly UsageSums[]): UsageSums => {
  const sums = { calls: 0, failed: 0, prompt_tokens: 0, cache_read_tokens: 0, completion_tokens: 0, quota: 0 }
  for (const part of parts) add(sums, part)
  return sums
}

/** Sums of rows with the same key and period. */
export function addedUp<Row extends UsageSums>(
  rows: readonly Row[],
  keyOf: (row: Row) => Omit<UsageSum, keyof UsageSums>,
) {
  const periods = new Map<number, Map<string, UsageSum>>()
  for (const row of rows) {
    const { key, period } = keyOf(row)
    const sums = periods.get(period) ?? new Map<string, UsageSum>()
    const before = sums.get(key)
    if (before) add(before, row)
    else sums.set(key, { key, period, ...sumOf([row]) })
    periods.set(period, sums)
  }
  return [...periods.values()].flatMap(sums => [...sums.values()])
}

function add(sums: UsageSums, part: UsageSums) {
  sums.calls += part.calls
  sums.failed += part.failed
  sums.prompt_tokens += part.prompt_tokens
  sums.cache_read_tokens += part.cache_read_tokens
  sums.completion_tokens += part.completion_tokens
  sums.quota += part.quota
}

export function sums(table: Record<keyof UsageSums, AnyColumn | SQL.Aliased>): Record<keyof UsageSums, SQL<number>> {
  const sum = (name: keyof UsageSums) => total(sql`${table[name]}`)
  return {
    calls: sum('calls'),
    failed: sum('failed'),
    prompt_tokens: sum('prompt_tokens'),
    cache_read_tokens: sum('cache_read_tokens'),
    completion_tokens: sum('completion_tokens'),
    quota: sum('quota'),
  }
}

const textsIn = <Column extends string>(row: object, columns: readonly Column[]) =>
  Object.fromEntries(columns.map(name => [name, String((row as Record<Column, unknown>)[name])]))

/** The first columns of a select, to group by. The period comes first: rows are read in the order of their hours. */
const positions = (count: number): SQL[] => Array.from({ length: count }, (_, index) => sql.raw(String(index + 1)))

/** The period that an hour belongs to: by division where all are equally long, else by a tree of comparisons. */
function periodOf(hour: AnyColumn, periods: Periods): SQL<number> {
  if (periods === 'hours') return sql<number>`${hour}`.mapWith(Number)
  const constant = (number: number) => sql.raw(String(number))
  const [first = 0, second = 0] = periods
  const length = second - first
  if (periods.length > 1 && periods.every((start, index) => start === first + index * length))
    return sql<number>`(${hour} - ${constant(first)}) / ${constant(length)}`.mapWith(Number)
  const within = (from: number, to: number): SQL => {
    if (from >= to) return constant(from)
    const middle = (from + to + 1) >> 1
    const start = constant(periods[middle]!)
    return sql`case when ${hour} < ${start} then ${within(from, middle - 1)} else ${within(middle, to)} end`
  }
  return sql<number>`${within(0, periods.length - 1)}`.mapWith(Number)
}
