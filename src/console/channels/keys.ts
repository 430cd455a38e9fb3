/** The keys of a channel, one by one, as operators see and switch them. */
import { and, eq, notInArray } from 'drizzle-orm'
import { ChannelStatus, type KeyStanding } from '../../contracts/channel.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { now } from '../../kit/clock.ts'
import { notFound, Refusal } from '../../kit/refusal.ts'
import { digest } from '../../kit/secrets.ts'
import { lineTo, restNow, wake } from './breaker.ts'
import { masked } from './fit.ts'
import { channelById, forgetChannels } from './ready.ts'
import { closedKeys } from './table.ts'

const ID_LENGTH = 16

/** Names a key without telling it. */
const idOf = (key: string) => digest(key).slice(0, ID_LENGTH)

export async function keysStanding(channel_id: number): Promise<KeyStanding[]> {
  const keys = (await channelById(channel_id))?.keys ?? []
  const closed = await db.select().from(closedKeys).where(eq(closedKeys.channel_id, channel_id))
  const byHash = new Map(closed.map(row => [row.key_hash, row]))
  return keys.map(key => {
    const { status = ChannelStatus.enabled, reason = '', closed_time: time = 0 } = byHash.get(digest(key)) ?? {}
    return { id: idOf(key), key: masked(key), status, reason, time, rest: restNow(lineTo(channel_id, key)) }
  })
}

/** @throws Refusal 404, or when no key would be left. */
export async function switchKey(channel_id: number, key_id: string, status: number): Promise<KeyStanding[]> {
  const channel = await channelById(channel_id)
  const key = channel?.keys.find(one => idOf(one) === key_id)
  if (!channel || !key) throw notFound()
  const opens = status === ChannelStatus.enabled
  if (!opens && channel.good_keys.every(one => one === key)) throw new Refusal('channel.last_key', {}, 400, 'status')
  const key_hash = digest(key)
  await atomic(function* (tx) {
    const ofKey = and(eq(closedKeys.channel_id, channel_id), eq(closedKeys.key_hash, key_hash))
    yield* run(tx.delete(closedKeys).where(ofKey))
    const row = { channel_id, key_hash, status, reason: 'manual', closed_time: now() }
    if (!opens) yield* run(tx.insert(closedKeys).values(row))
  })
  forgetChannels()
  wake(channel_id)
  return keysStanding(channel_id)
}

/** Forgets what is known of keys that the channel no longer has. */
export function* forgetKeys(tx: Tx, channel_id: number, kept: string[]) {
  yield* run(
    tx
      .delete(closedKeys)
      .where(and(eq(closedKeys.channel_id, channel_id), notInArray(closedKeys.key_hash, kept.map(digest)))),
  )
}

/** An operator who opens a channel gives its keys another chance. */
export function* openClosedKeys(tx: Tx, channel_id: number) {
  const byThemselves = eq(closedKeys.status, ChannelStatus.autoDisabled)
  yield* run(tx.delete(closedKeys).where(and(eq(closedKeys.channel_id, channel_id), byThemselves)))
}
