/** What prompt caches save where conversations stay on one channel, compared with those that do not. */
import { and, gte, lt, type SQL, sql } from 'drizzle-orm'
import { WriteBehind } from '../../cluster/write-behind.ts'
import type { AffinityFigures, AffinitySums } from '../../contracts/affinity.ts'
import type { AffinityKind } from '../../contracts/log.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import { total } from '../../db/fragments.ts'
import { now } from '../../process/clock.ts'
import { HOUR_SECONDS } from './roll-up.ts'
import type { Span } from './spans.ts'
import { affinityHours } from './table.ts'

export interface PromptCost {
  prompt_tokens: number
  cache_read_tokens: number
  /** Quota that the prompt would cost without a cache. */
  uncached: number
  /** Quota that caches have saved of it; negative where writing cost more than reading saved. */
  saved: number
}

const THOUSANDTHS = 1000
/** Below so many calls of the sample nothing is compared. */
const SAMPLE_CALLS_MIN = 20

type HourOfKind = typeof affinityHours.$inferInsert
const SUMS = ['calls', 'prompt_tokens', 'cache_read_tokens', 'uncached', 'saved'] as const

const buffer = new WriteBehind<string, HourOfKind>('affinity', entries => write([...entries.values()]))

export function countAffinity(kind: AffinityKind, cost: PromptCost) {
  const hour = now() - (now() % HOUR_SECONDS)
  const key = `${hour} ${kind}`
  const row = buffer.get(key) ?? {
    ...{ hour, kind, calls: 0, prompt_tokens: 0, cache_read_tokens: 0, uncached: 0, saved: 0 },
  }
  row.calls++
  row.prompt_tokens += cost.prompt_tokens
  row.cache_read_tokens += cost.cache_read_tokens
  row.uncached += Math.round(cost.uncached * THOUSANDTHS)
  row.saved += Math.round(cost.saved * THOUSANDTHS)
  buffer.set(key, row)
}

const added = Object.fromEntries(SUMS.map(name => [name, sql`${affinityHours[name]} + ${sql.raw(`excluded.${name}`)}`]))

/** In one order on every node, so that their locks cannot meet. */
const write = (rows: HourOfKind[]) =>
  atomic(function* (tx) {
    const sorted = rows.sort((one, other) => one.hour - other.hour || (one.kind < other.kind ? -1 : 1))
    const target = [affinityHours.hour, affinityHours.kind]
    yield* run(tx.insert(affinityHours).values(sorted).onConflictDoUpdate({ target, set: added }))
  })

/** @param range whole hours */
export async function affinityOf({ from, until }: Span): Promise<AffinityFigures> {
  const { hour, kind } = affinityHours
  const rows = await db
    .select({ kind, ...sums })
    .from(affinityHours)
    .where(and(gte(hour, from), lt(hour, until)))
    .groupBy(kind)
  const of = (name: AffinityKind) => rows.find(row => row.kind === name) ?? none
  const [kept, sample] = [of('kept'), of('sample')]
  const isComparable = sample.calls >= SAMPLE_CALLS_MIN && sample.uncached > 0
  // The sample's share of savings is what the kept conversations would have saved without affinity.
  const saved = isComparable ? kept.saved - kept.uncached * (sample.saved / sample.uncached) : undefined
  return {
    kept: shown(kept),
    sample: shown(sample),
    ...(saved !== undefined && { saved: Math.round(saved / THOUSANDTHS) }),
  }
}

const sums = Object.fromEntries(SUMS.map(name => [name, total(affinityHours[name]).as(name)])) as Record<
  (typeof SUMS)[number],
  SQL.Aliased<number>
>
const none = { calls: 0, prompt_tokens: 0, cache_read_tokens: 0, uncached: 0, saved: 0 }

const shown = ({ calls, prompt_tokens, cache_read_tokens }: AffinitySums): AffinitySums => ({
  calls,
  prompt_tokens,
  cache_read_tokens,
})
