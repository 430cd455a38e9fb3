/** How channels fare: counted by the hour off the hot path, and closed when one is beyond hope. */
import { and, asc, eq, gte, inArray, sql } from 'drizzle-orm'
import { ChannelStatus, HEALTH_HOURS } from '../../contracts/channel.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import { now } from '../../kit/clock.ts'
import { atEnd } from '../../kit/life.ts'
import { log, reason } from '../../kit/log.ts'
import { option } from '../options/service.ts'
import { forgetChannels } from './ready.ts'
import { abilities, channelHours, channels } from './table.ts'

const HOUR = 3600
const FLUSH_EVERY_MS = 1000

export interface Outcomes {
  succeeded: number
  failed: number
}

type Noted = Outcomes & { channel_id: number; hour: number }

let noted = new Map<string, Noted>()
let timer: Timer | undefined
const closing = new Set<Promise<unknown>>()

/** Counts an attempt; a fatal one also closes the channel, where the rules allow it. Never waits, never throws. */
export function noteOutcome(channel_id: number, ok: boolean, fatal?: { reason: string }) {
  const hour = hourOf(now())
  const key = `${channel_id} ${hour}`
  const row = noted.get(key) ?? { channel_id, hour, succeeded: 0, failed: 0 }
  if (ok) row.succeeded++
  else row.failed++
  noted.set(key, row)
  timer ??= setTimeout(flushOutcomes, FLUSH_EVERY_MS)
  if (fatal) closeInTime(channel_id, fatal.reason)
}

function closeInTime(id: number, status_reason: string) {
  const work = closeChannel(id, status_reason)
    .catch(error => log.error('channel not disabled', { channel: id, reason: reason(error) }))
    .finally(() => closing.delete(work))
  closing.add(work)
}

const hourOf = (at: number) => at - (at % HOUR)

/** Writes down what was counted, and waits for channels that are being closed. A count that cannot be written is lost: no money hangs on it. */
export async function flushOutcomes() {
  clearTimeout(timer)
  timer = undefined
  const rows = [...noted.values()]
  noted = new Map()
  await Promise.all(closing)
  if (!rows.length) return
  try {
    await write(rows)
  } catch (error) {
    log.warn('channel health not written', { reason: reason(error) })
  }
}

atEnd(flushOutcomes)

const write = (rows: Noted[]) =>
  atomic(function* (tx) {
    const ids = rows.map(row => row.channel_id)
    const living = yield* run(tx.select({ id: channels.id }).from(channels).where(inArray(channels.id, ids)))
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

/** Takes an open channel out of routing until someone, or a test, opens it again. */
async function closeChannel(id: number, status_reason: string) {
  if (!option('AutomaticDisableChannelEnabled')) return
  const other_info = JSON.stringify({ status_reason, status_time: now() })
  const closed = await atomic(function* (tx) {
    const [channel] = yield* run(
      tx
        .update(channels)
        .set({ status: ChannelStatus.autoDisabled, other_info })
        .where(and(eq(channels.id, id), eq(channels.status, ChannelStatus.enabled), eq(channels.auto_ban, 1)))
        .returning({ name: channels.name }),
    )
    if (channel) yield* run(tx.update(abilities).set({ enabled: false }).where(eq(abilities.channel_id, id)))
    return channel
  })
  if (!closed) return
  forgetChannels()
  log.warn('channel disabled', { channel: id, name: closed.name, reason: status_reason })
}

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
