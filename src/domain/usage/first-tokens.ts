/** Times to first token of streamed calls: counted in buckets by model and hour, and written behind. */
import { and, eq, sql } from 'drizzle-orm'
import { WriteBehind } from '../../cluster/write-behind.ts'
import { ATTEMPTS_MIN } from '../../contracts/availability.ts'
import {
  bucketOf,
  FIRST_TOKEN_BUCKETS,
  type FirstTokenCounts,
  firstTokenCalls,
  noFirstTokens,
  percentileOf,
} from '../../contracts/first-token.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { bucketsOf } from './first-token-days.ts'
import { DAY_SECONDS, HOUR_SECONDS, markLate } from './roll-up.ts'
import { isIn, partsOf, type Span } from './spans.ts'
import { firstTokens } from './table.ts'

type FirstTokenHour = FirstTokenCounts & { span: number; start: number; model: string }

const buffer = new WriteBehind<string, FirstTokenHour>('first-tokens', entries => write([...entries.values()]))

export function countFirstToken(model: string, ms: number) {
  const start = now() - (now() % HOUR_SECONDS)
  const key = `${start} ${model}`
  const hour = buffer.get(key) ?? { span: HOUR_SECONDS, start, model, ...noFirstTokens }
  hour[bucketOf(ms)]++
  buffer.set(key, hour)
}

const added = Object.fromEntries(
  FIRST_TOKEN_BUCKETS.map(name => [name, sql`${firstTokens[name]} + ${sql.raw(`excluded.${name}`)}`]),
)

/** In one order on every node, so that their locks cannot meet. */
const write = (hours: FirstTokenHour[]) =>
  atomic(function* (tx) {
    const rows = hours.sort((one, other) => one.start - other.start || (one.model < other.model ? -1 : 1))
    yield* run(
      tx
        .insert(firstTokens)
        .values(rows)
        .onConflictDoUpdate({ target: [firstTokens.span, firstTokens.start, firstTokens.model], set: added }),
    )
    yield* markLate(
      tx,
      rows.map(({ start }) => ({ hour: start })),
    )
  })

/** Streamed calls of a range of whole hours by their time to first token, by model. */
export async function firstTokensOf(range: Span): Promise<Map<string, FirstTokenCounts>> {
  const { days, hours, live } = await partsOf(range)
  const parts = await Promise.all([read(DAY_SECONDS, days), read(HOUR_SECONDS, [...hours, ...live])])
  const found = new Map<string, FirstTokenCounts>()
  for (const { model, ...counts } of parts.flat()) {
    const sums = found.get(model) ?? { ...noFirstTokens }
    for (const name of FIRST_TOKEN_BUCKETS) sums[name] += counts[name]
    found.set(model, sums)
  }
  return found
}

async function read(span: number, spans: Span[]) {
  if (!spans.length) return []
  return db
    .select({ model: firstTokens.model, ...bucketsOf(name => firstTokens[name]) })
    .from(firstTokens)
    .where(and(eq(firstTokens.span, span), isIn(firstTokens.start, spans)))
    .groupBy(firstTokens.model)
}

/** @returns milliseconds; undefined after fewer than `ATTEMPTS_MIN` calls */
export const medianOf = (counts: FirstTokenCounts | undefined): number | undefined =>
  counts && firstTokenCalls(counts) >= ATTEMPTS_MIN ? percentileOf(counts, 0.5) : undefined
