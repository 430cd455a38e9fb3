/** Attempts per channel, hour and model, counted in memory and written behind: health strips and history show them. */
import { and, asc, eq, gte, inArray, sql, sum } from 'drizzle-orm'
import { WriteBehind } from '../../../cluster/write-behind.ts'
import type { Outcomes } from '../../../contracts/availability.ts'
import { HEALTH_HOURS } from '../../../contracts/channel.ts'
import { type FailureKind, failedIn, type HistoryCounts, noFailures } from '../../../contracts/channel-history.ts'
import { bucketOf, noFirstTokens } from '../../../contracts/first-token.ts'
import { atomic, lock, run } from '../../../db/atomic.ts'
import { db } from '../../../db/database.ts'
import { now } from '../../../process/clock.ts'
import { log, reason } from '../../../process/log.ts'
import { onShutdown } from '../../../process/shutdown.ts'
import { channelHours, channels } from '../../channels/table.ts'
import { addModelHours } from './model-hours.ts'

const HOUR_SECONDS = 3600

interface ModelHour extends HistoryCounts {
  channel_id: number
  /** Unix seconds of the hour's start. */
  hour: number
  model: string
}

const outcomes = new WriteBehind<string, ModelHour>('channel-outcomes', entries => write([...entries.values()]))

/** @param first_ms to the first token, of a streamed call */
export function countServed(channel_id: number, model: string, first_ms?: number) {
  const row = rowOf(channel_id, model)
  row.succeeded++
  if (first_ms !== undefined) row[bucketOf(first_ms)]++
}

export const countFailed = (channel_id: number, model: string, kind: FailureKind) =>
  void rowOf(channel_id, model)[kind]++

function rowOf(channel_id: number, model: string): ModelHour {
  const hour = hourOf(now())
  const key = `${channel_id} ${hour} ${model}`
  const known = outcomes.get(key)
  if (known) return known
  const row = { channel_id, hour, model, succeeded: 0, ...noFailures, ...noFirstTokens }
  outcomes.set(key, row)
  return row
}

const background = new Set<Promise<unknown>>()

/** Runs work that a call causes and does not wait for; the end of the process waits for it. */
export function runInBackground(work: Promise<unknown>) {
  const done = work
    .catch(error => log.error('channel not disabled', { reason: reason(error) }))
    .finally(() => background.delete(done))
  background.add(done)
}

const hourOf = (at: number) => at - (at % HOUR_SECONDS)

/** Resolves when all counts are written and all background work is done. */
export async function flushOutcomes() {
  await Promise.all([outcomes.flush(), ...background])
}

onShutdown('flush', flushOutcomes)

/** Locks the channels, so that a deletion meanwhile cannot fail the counts of the others. */
const write = (rows: ModelHour[]) =>
  atomic(function* (tx) {
    const existing = yield* lock(tx, channels, inArray(channels.id, [...new Set(rows.map(row => row.channel_id))]))
    const ids = new Set(existing.map(({ id }) => id))
    const values = rows.filter(({ channel_id }) => ids.has(channel_id))
    if (!values.length) return
    yield* addModelHours(tx, values)
    const sums = hoursOf(values)
    if (!sums.length) return
    yield* run(
      tx
        .insert(channelHours)
        .values(sums)
        .onConflictDoUpdate({
          target: [channelHours.channel_id, channelHours.hour],
          set: {
            succeeded: sql`${channelHours.succeeded} + excluded.succeeded`,
            failed: sql`${channelHours.failed} + excluded.failed`,
          },
        }),
    )
  })

/** Of all models together. */
function hoursOf(rows: readonly ModelHour[]) {
  const hours = new Map<string, Outcomes & { channel_id: number; hour: number }>()
  for (const row of rows) {
    const { channel_id, hour, succeeded } = row
    const failed = failedIn(row)
    if (!succeeded && !failed) continue
    const key = `${channel_id} ${hour}`
    const sum = hours.get(key) ?? { channel_id, hour, succeeded: 0, failed: 0 }
    hours.set(key, { ...sum, succeeded: sum.succeeded + succeeded, failed: sum.failed + failed })
  }
  return [...hours.values()]
}

/** Outcomes of the last hours per channel: one entry an hour, oldest first; the running hour is the last. */
export async function healthOf(ids: number[], hours = HEALTH_HOURS): Promise<Map<number, Outcomes[]>> {
  if (!ids.length) return new Map()
  const { channel_id: of, hour, succeeded, failed } = channelHours
  const rows = await db
    .select({ of, hour, succeeded, failed })
    .from(channelHours)
    .where(and(inArray(of, ids), gte(hour, firstHour(hours))))
    .orderBy(asc(hour))
  return stripsOf(ids, rows, hours)
}

/** The same for all channels of each tag together. */
export async function healthOfTags(tags: string[]): Promise<Map<string, Outcomes[]>> {
  if (!tags.length) return new Map()
  const { hour } = channelHours
  const rows = await db
    .select({ of: channels.tag, hour, succeeded: sum(channelHours.succeeded), failed: sum(channelHours.failed) })
    .from(channelHours)
    .innerJoin(channels, eq(channels.id, channelHours.channel_id))
    .where(and(inArray(channels.tag, tags), gte(hour, firstHour())))
    .groupBy(channels.tag, hour)
    .orderBy(asc(hour))
  return stripsOf(
    tags,
    rows.map(row => ({ ...row, succeeded: Number(row.succeeded), failed: Number(row.failed) })),
  )
}

const firstHour = (hours = HEALTH_HOURS) => hourOf(now()) - (hours - 1) * HOUR_SECONDS

interface HourRow<Key> extends Outcomes {
  of: Key
  hour: number
}

function stripsOf<Key>(keys: Key[], rows: HourRow<Key>[], hours = HEALTH_HOURS): Map<Key, Outcomes[]> {
  const first = firstHour(hours)
  const strips = new Map(keys.map(key => [key, Array.from({ length: hours }, () => ({ succeeded: 0, failed: 0 }))]))
  for (const { of, hour, succeeded, failed } of rows) {
    const index = (hour - first) / HOUR_SECONDS
    if (index < hours) strips.get(of)![index] = { succeeded, failed }
  }
  return strips
}
