/** How channels fare: counted by the hour, off the hot path. */
import { and, asc, gte, inArray, sql } from 'drizzle-orm'
import { HEALTH_HOURS } from '../../../contracts/channel.ts'
import { atomic, lock, run } from '../../../db/atomic.ts'
import { db } from '../../../db/database.ts'
import { now } from '../../../process/clock.ts'
import { log, reason } from '../../../process/log.ts'
import { atEnd } from '../../../process/shutdown.ts'
import { channelHours, channels } from '../table.ts'

const HOUR = 3600
const FLUSH_EVERY_MS = 1000

export interface Outcomes {
  succeeded: number
  failed: number
}

type Noted = Outcomes & { channel_id: number; hour: number }

let noted = new Map<string, Noted>()
let timer: Timer | undefined
const underWay = new Set<Promise<unknown>>()

/** Counts an attempt. */
export function countOutcome(channel_id: number, ok: boolean) {
  const hour = hourOf(now())
  const key = `${channel_id} ${hour}`
  const row = noted.get(key) ?? { channel_id, hour, succeeded: 0, failed: 0 }
  if (ok) row.succeeded++
  else row.failed++
  noted.set(key, row)
  timer ??= setTimeout(flushOutcomes, FLUSH_EVERY_MS)
}

/** Work that a call has caused and does not wait for; the end of the process does. */
export function runInBackground(work: Promise<unknown>) {
  const done = work
    .catch(error => log.error('channel not closed', { reason: reason(error) }))
    .finally(() => underWay.delete(done))
  underWay.add(done)
}

const hourOf = (at: number) => at - (at % HOUR)

/**
 * Writes down what was counted, and waits for what is being closed. A count that cannot be written is lost: no money
 * hangs on it.
 */
export async function flushOutcomes() {
  clearTimeout(timer)
  timer = undefined
  const rows = [...noted.values()]
  noted = new Map()
  if (rows.length)
    runInBackground(write(rows).catch(error => log.warn('channel health not written', { reason: reason(error) })))
  await Promise.all(underWay)
}

atEnd(flushOutcomes)

const write = (rows: Noted[]) =>
  atomic(function* (tx) {
    const ids = rows.map(row => row.channel_id)
    // None of them is deleted meanwhile, and no other node counts there.
    const living = yield* lock(tx, channels, inArray(channels.id, ids))
    const there = rows.filter(row => living.some(channel => channel.id === row.channel_id))
    if (!there.length) return
    yield* run(
      tx
        .insert(channelHours)
        .values(there)
        .onConflictDoUpdate({
          target: [channelHours.channel_id, channelHours.hour],
          set: {
            succeeded: sql`${channelHours.succeeded} + excluded.succeeded`,
            failed: sql`${channelHours.failed} + excluded.failed`,
          },
        }),
    )
  })

/** The last hours of these channels, oldest first, one entry an hour. */
export async function healthOf(ids: number[]): Promise<Map<number, Outcomes[]>> {
  const first = hourOf(now()) - (HEALTH_HOURS - 1) * HOUR
  const strips = new Map(ids.map(id => [id, Array.from({ length: HEALTH_HOURS }, () => ({ succeeded: 0, failed: 0 }))]))
  if (!ids.length) return strips
  const rows = await db
    .select()
    .from(channelHours)
    .where(and(inArray(channelHours.channel_id, ids), gte(channelHours.hour, first)))
    .orderBy(asc(channelHours.hour))
  for (const { channel_id, hour, succeeded, failed } of rows) {
    const at = (hour - first) / HOUR
    if (at < HEALTH_HOURS) strips.get(channel_id)![at] = { succeeded, failed }
  }
  return strips
}
