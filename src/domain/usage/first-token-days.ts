/** Rolls up times to first token: by the day from hours, and hours without counts from the usage log. */
import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import { FIRST_TOKEN_BOUNDS_MS, FIRST_TOKEN_BUCKETS, type FirstTokenBucket } from '../../contracts/first-token.ts'
import { LogType } from '../../contracts/log.ts'
import { run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { count, total, wholeNumberIn } from '../../db/fragments.ts'
import { logs } from '../logs/table.ts'
import { firstTokens } from './table.ts'

/** As calls before the update: their times stand in the log alone. */
export function* firstTokensFromLog(tx: Tx, span: Pick<typeof firstTokens.$inferInsert, 'span' | 'start'>) {
  const isOfSpan = and(eq(firstTokens.span, span.span), eq(firstTokens.start, span.start))
  const [counted] = yield* run(tx.select({ models: count() }).from(firstTokens).where(isOfSpan))
  if (counted!.models) return
  const ms = wholeNumberIn(logs.other, 'frt')
  const times = tx
    .select({ model: logs.model_name, ms: sql<number>`${ms}`.as('ms') })
    .from(logs)
    .where(
      and(
        gte(logs.created_at, span.start),
        lt(logs.created_at, span.start + span.span),
        eq(logs.type, LogType.consume),
        eq(logs.is_stream, true),
      ),
    )
    .as('times')
  const counts = tx
    .select({ ...constants(span), model: times.model, ...bucketsOf(name => inBucket(sql`${times.ms}`, name)) })
    .from(times)
    .where(sql`${times.ms} > 0`)
    .groupBy(times.model)
  yield* run(tx.insert(firstTokens).select(counts))
}

/** @param hours seconds of a part */
export function* sumUpFirstTokens(tx: Tx, day: Pick<typeof firstTokens.$inferInsert, 'span' | 'start'>, hours: number) {
  yield* run(tx.delete(firstTokens).where(and(eq(firstTokens.span, day.span), eq(firstTokens.start, day.start))))
  const parts = tx
    .select({ ...constants(day), model: firstTokens.model, ...bucketsOf(name => firstTokens[name]) })
    .from(firstTokens)
    .where(
      and(eq(firstTokens.span, hours), gte(firstTokens.start, day.start), lt(firstTokens.start, day.start + day.span)),
    )
    .groupBy(firstTokens.model)
  yield* run(tx.insert(firstTokens).select(parts))
}

/** Sums of each bucket. */
export const bucketsOf = (columnOf: (name: FirstTokenBucket) => SQL | (typeof firstTokens)[FirstTokenBucket]) =>
  Object.fromEntries(FIRST_TOKEN_BUCKETS.map(name => [name, total(columnOf(name)).as(name)])) as Record<
    FirstTokenBucket,
    SQL.Aliased<number>
  >

const constants = ({ span, start }: { span: number; start: number }) => ({
  span: sql<number>`${sql.raw(String(span))}`.as('span'),
  start: sql<number>`${sql.raw(String(start))}`.as('start'),
})

function inBucket(ms: SQL, name: FirstTokenBucket): SQL {
  const at = FIRST_TOKEN_BUCKETS.indexOf(name)
  const bound = (value: number) => sql.raw(String(value))
  const above = sql`${ms} >= ${bound(FIRST_TOKEN_BOUNDS_MS[at - 1] ?? 0)}`
  const below = FIRST_TOKEN_BOUNDS_MS[at]
  return sql`case when ${above} ${below === undefined ? sql`` : sql`and ${ms} < ${bound(below)}`} then 1 else 0 end`
}
