/** Usage of some keys of one column, by a second one: what no roll-up holds, read for the rows of one page. */
import { type AnyColumn, and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { PLAYGROUND_PREFIX } from '../../contracts/relay.ts'
import { db } from '../../db/database.ts'
import { columnOf } from './roll-up.ts'
import { isIn, partsOf, type Span } from './spans.ts'
import { addedUp, sums, type UsageSum } from './sums.ts'
import { type RollUpKind, usageDays, usageHours } from './table.ts'

/** Columns of the daily sums. */
const dayColumns: Partial<Record<RollUpKind, AnyColumn>> = {
  model: usageDays.model,
  group: usageDays.group,
  channel: usageDays.channel_id,
}

interface Levels {
  by: RollUpKind
  keys: string[]
  split: RollUpKind
}

/** @returns sums by each of the keys that has any */
export async function usageWithin({ by, keys, split }: Levels, range: Span): Promise<Map<string, UsageSum[]>> {
  if (!keys.length || range.from >= range.until) return new Map()
  const [outer, inner] = [dayColumns[by], dayColumns[split]]
  // Users and tokens have indexes of their hours, days have fewer rows for the others.
  const { days, hours, live } = outer && inner ? await partsOf(range) : { days: [], hours: [], live: [range] }
  const parts = await Promise.all([
    ...(days.length ? [ofDays(outer!, inner!, keys, days)] : []),
    ...(hours.length || live.length ? [ofHours({ by, keys, split }, [...hours, ...live])] : []),
  ])
  const rows = parts.flat()
  const found = new Map<string, UsageSum[]>()
  for (const [key, within] of Map.groupBy(rows, row => row.outer))
    found.set(
      key,
      addedUp(within, ({ key }) => ({ key, period: 0 })),
    )
  return found
}

const ofDays = (outer: AnyColumn, inner: AnyColumn, keys: string[], spans: Span[]) =>
  db
    .select({ outer: textOf(outer), key: textOf(inner), period: none, ...sums(usageDays) })
    .from(usageDays)
    .where(and(isIn(usageDays.day, spans), inArray(outer, keys)))
    .groupBy(sql`${outer}`, sql`${inner}`)

const ofHours = ({ by, keys, split }: Levels, spans: Span[]) =>
  db
    .select({ outer: textOf(columnOf[by]), key: textOf(columnOf[split]), period: none, ...sums(usageHours) })
    .from(usageHours)
    .where(and(isIn(usageHours.hour, spans), isOneOf(by, keys)))
    .groupBy(sql.raw('1'), sql.raw('2'))

const textOf = (column: AnyColumn | SQL) => sql`${column}`.mapWith(String)
const none = sql<number>`0`.mapWith(Number)

/** Tokens are found by their index, those of the playground among the hours without one. */
function isOneOf(by: RollUpKind, keys: string[]): SQL | undefined {
  if (by !== 'token') return inArray(columnOf[by], keys)
  const groups = keys.filter(isOfPlayground).map(key => key.slice(PLAYGROUND_PREFIX.length))
  const ids = keys.filter(key => !isOfPlayground(key)).map(Number)
  return or(
    ids.length ? inArray(usageHours.token_id, ids) : undefined,
    groups.length ? and(eq(usageHours.token_id, 0), inArray(usageHours.group, groups)) : undefined,
  )
}

export const isOfPlayground = (key: string) => key.startsWith(PLAYGROUND_PREFIX)
