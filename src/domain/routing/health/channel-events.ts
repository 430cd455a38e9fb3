/** Cooldowns and closings of channels, counted by hour and cause in memory and written behind. */
import { and, desc, eq, gte, inArray, lt, max, sql } from 'drizzle-orm'
import { WriteBehind } from '../../../cluster/write-behind.ts'
import type { ChannelEvent, EventCause } from '../../../contracts/channel-history.ts'
import { atomic, lock, run } from '../../../db/atomic.ts'
import { db } from '../../../db/database.ts'
import { total } from '../../../db/fragments.ts'
import { now } from '../../../process/clock.ts'
import { channelEventHours, channelHistory, channelHours, channels } from '../../channels/table.ts'
import { type HistoryScope, historyStart } from './model-hours.ts'

const HOUR_SECONDS = 3600
const REASON_MAX = 200

type EventHour = typeof channelEventHours.$inferInsert & { times: number; ms: number }

const events = new WriteBehind<string, EventHour>('channel-events', entries => write([...entries.values()]))

interface NewEvent {
  channel_id: number
  event: ChannelEvent
  cause: EventCause
  reason: string
  model?: string
  /** Length of a cooldown. */
  ms?: number
  /** 0 for a cooldown that becomes longer. */
  times?: 0 | 1
}

const keyOf = ({ channel_id, hour, event, model, cause }: Omit<EventHour, 'last_at' | 'reason'>) =>
  `${channel_id} ${hour} ${event} ${cause} ${model}`

export function countEvent({ channel_id, event, cause, reason, model = '', ms = 0, times = 1 }: NewEvent) {
  const at = now()
  const place = { channel_id, hour: at - (at % HOUR_SECONDS), event, model, cause, times: 0, ms: 0 }
  const key = keyOf(place)
  const before = events.get(key) ?? place
  events.set(key, {
    ...before,
    times: before.times + times,
    ms: before.ms + Math.round(ms),
    last_at: at,
    reason: reason.slice(0, REASON_MAX),
  })
}

const write = (rows: EventHour[]) =>
  atomic(function* (tx) {
    const existing = yield* lock(tx, channels, inArray(channels.id, [...new Set(rows.map(row => row.channel_id))]))
    const values = rows.filter(row => existing.some(({ id }) => id === row.channel_id))
    if (!values.length) return
    const { channel_id, hour, event, model, cause, times, ms } = channelEventHours
    yield* run(
      tx
        .insert(channelEventHours)
        .values(values.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)))
        .onConflictDoUpdate({
          target: [channel_id, hour, event, model, cause],
          set: {
            times: sql`${times} + excluded.times`,
            ms: sql`${ms} + excluded.ms`,
            last_at: sql`excluded.last_at`,
            reason: sql`excluded.reason`,
          },
        }),
    )
  })

export interface EventSum {
  event: ChannelEvent
  model: string
  cause: EventCause
  times: number
  ms: number
  /** Unix seconds of the last one. */
  last_at: number
  /** Of the last one. */
  reason: string
}

/** Digits of a moment in unix seconds until the year 2286: moments of one length are in order as text. */
const MOMENT_DIGITS = 10

/** Events of a range by kind, model and cause, the last first. */
export async function eventsSince({ channel, from, until }: HistoryScope, count_max: number): Promise<EventSum[]> {
  const { channel_id, hour, event, model, cause, times, ms, last_at, reason } = channelEventHours
  const last = max(sql<string>`cast(${last_at} as text) || ${reason}`)
  const rows = await db
    .select({ event, model, cause, times: total(times), ms: total(ms), last })
    .from(channelEventHours)
    .where(and(eq(channel_id, channel), gte(hour, from), until === undefined ? undefined : lt(hour, until)))
    .groupBy(event, model, cause)
    .orderBy(desc(max(last_at)))
    .limit(count_max)
  return rows.map(({ last, ...row }) => ({
    ...row,
    event: row.event as ChannelEvent,
    cause: row.cause as EventCause,
    last_at: Number(last!.slice(0, MOMENT_DIGITS)),
    reason: last!.slice(MOMENT_DIGITS),
  }))
}

/** Deletes hours that no page shows, channel by channel: their index begins with the channel. */
export async function pruneChannelHours() {
  const before = historyStart()
  const all = await db.select({ id: channels.id }).from(channels)
  for (const { id } of all) {
    for (const table of [channelHours, channelEventHours])
      await db.delete(table).where(and(eq(table.channel_id, id), lt(table.hour, before)))
    await db.delete(channelHistory).where(and(eq(channelHistory.channel_id, id), lt(channelHistory.start, before)))
  }
}
