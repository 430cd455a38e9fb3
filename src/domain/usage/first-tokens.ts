/** Times to first token of streamed calls: counted in buckets by model and hour, and written behind. */
import { and, eq, sql } from 'drizzle-orm'
import { WriteBehind } from '../../cluster/write-behind.ts'
import { ATTEMPTS_MIN } from '../../contracts/availability.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { bucketsOf } from './first-token-days.ts'
import { DAY_SECONDS, HOUR_SECONDS, markLate } from './roll-up.ts'
import { isIn, partsOf, type Span } from './spans.ts'
import { FIRST_TOKEN_BOUNDS_MS, FIRST_TOKEN_BUCKETS, type FirstTokenBucket, firstTokens } from './table.ts'

export type FirstTokenCounts = Record<FirstTokenBucket, number>
type FirstTokenHour = FirstTokenCounts & { span: number; start: number; model: string }

const none = Object.fromEntries(FIRST_TOKEN_BUCKETS.map(name => [name, 0])) as FirstTokenCounts

const buffer = new WriteBehind<string, FirstTokenHour>('first-tokens', entries => write([...entries.values()]))

export function countFirstToken(model: string, ms: number) {
  const start = now() - (now() % HOUR_SECONDS)
  const key = `${start} ${model}`
  const hour = buffer.get(key) ?? { span: HOUR_SECONDS, start, model, ...none }
  hour[bucketOf(ms)]++
  buffer.set(key, hour)
}

function bucketOf(ms: number): FirstTokenBucket {
  const at = FIRST_TOKEN_BOUNDS_MS.findIndex(bound => ms < bound)
  return FIRST_TOKEN_BUCKETS[at === -1 ? FIRST_TOKEN_BOUNDS_MS.length : at]!
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
    const sums = found.get(model) ?? { ...none }
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

/** Interpolated within its bucket. @returns milliseconds; undefined after fewer than `ATTEMPTS_MIN` calls */
export function medianOf(counts: FirstTokenCounts | undefined): number | undefined {
  const calls = counts ? FIRST_TOKEN_BUCKETS.reduce((sum, name) => sum + counts[name], 0) : 0
  if (calls < ATTEMPTS_MIN) return
  let left = calls / 2
  for (const [at, name] of FIRST_TOKEN_BUCKETS.entries()) {
    const lower = FIRST_TOKEN_BOUNDS_MS[at - 1] ?? 0
    const upper = FIRST_TOKEN_BOUNDS_MS[at] ?? lower
    if (left <= counts![name]) return Math.round(lower + ((upper - lower) * left) / counts![name])
    left -= counts![name]
  }
}
