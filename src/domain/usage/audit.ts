/** Compares the roll-ups of usage with the hourly usage they are made of. */
import { and, eq, gte, inArray, lt, max, min, or, sql } from 'drizzle-orm'
import { USAGE_SUMS, type UsageSums } from '../../contracts/dashboard.ts'
import { db } from '../../db/database.ts'
import { columnOf, DAY_SECONDS, HOUR_SECONDS, isFresh, rollUpKinds } from './roll-up.ts'
import { sums } from './sums.ts'
import { type RollUpKind, rolledSpans, rollUps, usageHours } from './table.ts'

/** Checks all roll-ups, a day in each statement. @returns the first wrong figure as an English sentence */
export async function auditRollUps(): Promise<string | undefined> {
  const [rolled] = await db.select({ first: min(rolledSpans.start), last: max(rolledSpans.start) }).from(rolledSpans)
  const { first, last } = rolled!
  if (first === null || last === null) return
  for (let day = first - (first % DAY_SECONDS); day <= last; day += DAY_SECONDS)
    for (const span of [HOUR_SECONDS, DAY_SECONDS])
      for (const kind of rollUpKinds) {
        const difference = await differenceIn(day, span, kind)
        if (difference) return difference
      }
}

/** One statement, which sees a consistent state of a database in use: usage less its roll-up must leave nothing. */
async function differenceIn(day: number, span: number, kind: RollUpKind): Promise<string | undefined> {
  const end = day + DAY_SECONDS
  const fresh = db
    .select({ start: rolledSpans.start })
    .from(rolledSpans)
    .where(and(isFresh(span), gte(rolledSpans.start, day), lt(rolledSpans.start, end)))
  const start = sql<number>`${usageHours.hour} - ${usageHours.hour} % ${sql.raw(String(span))}`
  const sides = db
    .select({ start: start.mapWith(Number).as('start'), key: keyOf(kind).as('key'), ...figures(usageHours, 1) })
    .from(usageHours)
    .where(and(gte(usageHours.hour, day), lt(usageHours.hour, end), inArray(start, fresh)))
    .unionAll(
      db
        .select({ start: rollUps.start, key: rollUps.key, ...figures(rollUps, -1) })
        .from(rollUps)
        .where(and(eq(rollUps.span, span), eq(rollUps.kind, kind), inArray(rollUps.start, fresh))),
    )
    .as('sides')
  const differences = sums(sides)
  const [wrong] = await db
    .select({ start: sql<number>`${sides.start}`.mapWith(Number), key: sides.key, ...differences })
    .from(sides)
    .groupBy(sql`${sides.start}`, sql`${sides.key}`)
    .having(or(...USAGE_SUMS.map(name => sql`${differences[name]} <> 0`)))
    .orderBy(sql`${sides.start}`, sql`${sides.key}`)
    .limit(1)
  if (!wrong) return
  const rollUp = `roll-up of ${kind} ${wrong.key}, ${span} seconds from ${wrong.start}`
  const more = USAGE_SUMS.filter(name => wrong[name]).map(name => `${name} by ${wrong[name]}`)
  return `${rollUp}: the usage differs in ${more.join(', ')}`
}

const keyOf = (kind: RollUpKind) => sql<string>`cast(${columnOf[kind]} as text)`

const figures = (table: typeof usageHours | typeof rollUps, sign: 1 | -1) => {
  const signed = (name: keyof UsageSums) => sql<number>`${table[name]} * ${sql.raw(String(sign))}`.as(name)
  return {
    calls: signed('calls'),
    failed: signed('failed'),
    prompt_tokens: signed('prompt_tokens'),
    cache_read_tokens: signed('cache_read_tokens'),
    completion_tokens: signed('completion_tokens'),
    quota: signed('quota'),
  }
}
