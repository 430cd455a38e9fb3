/** Usage of some keys of one column, by a second one: what no roll-up holds, read for the rows of one page. */
import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { PLAYGROUND_PREFIX } from '../../contracts/relay.ts'
import { db } from '../../db/database.ts'
import { cachedSums } from './cached-sums.ts'
import { columnIn } from './roll-up.ts'
import { isIn, partsOf, type Span } from './spans.ts'
import { addedUp, sums, type UsageSum } from './sums.ts'
import { type RollUpKind, usageDays, usageHours, userDays } from './table.ts'

interface Levels {
  by: RollUpKind
  keys: string[]
  split: RollUpKind
}

interface NestedSum extends UsageSum {
  outer: string
}

/** @returns sums by each of the keys that has any */
export async function usageWithin(levels: Levels, range: Span): Promise<Map<string, UsageSum[]>> {
  if (!levels.keys.length || range.from >= range.until) return new Map()
  const { days, hours, live, revision } = await partsOf(range)
  const kept = (name: string, spans: Span[], read: typeof ofDays) =>
    spans.length ? [cachedSums(JSON.stringify([name, levels, spans]), revision, () => read(levels, spans))] : []
  const rows = await Promise.all([
    ...kept('days within', days, ofDays),
    ...kept('hours within', hours, ofHours),
    ...(live.length ? [ofHours(levels, live)] : []),
  ])
  const found = new Map<string, UsageSum[]>()
  for (const [key, within] of Map.groupBy(rows.flat(), row => row.outer))
    found.set(
      key,
      addedUp(within, ({ key }) => ({ key, period: 0 })),
    )
  return found
}

const isOfUsers = ({ by, split }: Levels) => [by, split].some(kind => kind === 'user' || kind === 'token')

/** Only days of users have users and keys; the others are fewer. */
function ofDays(levels: Levels, spans: Span[]): PromiseLike<NestedSum[]> {
  const table = (isOfUsers(levels) ? userDays : usageDays) as typeof userDays
  return sumsWithin(levels, table, isIn(table.day, spans))
}

const ofHours = (levels: Levels, spans: Span[]): PromiseLike<NestedSum[]> =>
  sumsWithin(levels, usageHours, isIn(usageHours.hour, spans))

type Table = typeof usageHours | typeof userDays

const sumsWithin = ({ by, keys, split }: Levels, table: Table, where: SQL): PromiseLike<NestedSum[]> =>
  db
    .select({ outer: textOf(by, table), key: textOf(split, table), period: none, ...sums(table) })
    .from(table)
    .where(and(where, isOneOf(by, keys, table)))
    .groupBy(sql.raw('1'), sql.raw('2'))

const textOf = (kind: RollUpKind, table: Table) => sql`${columnIn(table)[kind]}`.mapWith(String)
const none = sql<number>`0`.mapWith(Number)

/** Tokens are found by their index, those of the playground among the rows without one. */
function isOneOf(by: RollUpKind, keys: string[], table: Table): SQL | undefined {
  if (by !== 'token') return inArray(columnIn(table)[by], keys)
  const groups = keys.filter(isOfPlayground).map(key => key.slice(PLAYGROUND_PREFIX.length))
  const ids = keys.filter(key => !isOfPlayground(key)).map(Number)
  return or(
    ids.length ? inArray(table.token_id, ids) : undefined,
    groups.length ? and(eq(table.token_id, 0), inArray(table.group, groups)) : undefined,
  )
}

export const isOfPlayground = (key: string) => key.startsWith(PLAYGROUND_PREFIX)
