/** The keys of a channel, one by one, as operators see and switch them. */
import { and, eq, notInArray } from 'drizzle-orm'
import { ChannelStatus, type KeyState } from '../../../contracts/channel.ts'
import { notFound, Refusal } from '../../../contracts/refusal.ts'
import { digest, unseal } from '../../../crypto/sealing.ts'
import { atomic, lock, run } from '../../../db/atomic.ts'
import { db, type Tx } from '../../../db/database.ts'
import { now } from '../../../process/clock.ts'
import { circuitKey, cooldownOf, resetCircuits } from '../health/breaker.ts'
import { channelById, forgetChannels, keysOf } from '../routing/routing-table.ts'
import { channels, closedKeys } from '../table.ts'
import { maskKey } from './validate.ts'

const ID_LENGTH = 16

/** Names a key without telling it. */
const idOf = (key: string) => digest(key).slice(0, ID_LENGTH)

export async function keyStates(channel_id: number): Promise<KeyState[]> {
  const keys = (await channelById(channel_id))?.keys ?? []
  const closed = await db.select().from(closedKeys).where(eq(closedKeys.channel_id, channel_id))
  const byHash = new Map(closed.map(row => [row.key_hash, row]))
  return keys.map(key => {
    const { status = ChannelStatus.enabled, reason = '', closed_time: time = 0 } = byHash.get(digest(key)) ?? {}
    return { id: idOf(key), key: maskKey(key), status, reason, time, rest: cooldownOf(circuitKey(channel_id, key)) }
  })
}

/** @throws Refusal 404, or when no key would be left. */
export async function switchKey(channel_id: number, key_id: string, status: number): Promise<KeyState[]> {
  await atomic(function* (tx) {
    const channel = yield* lockChannel(tx, channel_id)
    const key = channel?.keys.find(one => idOf(one) === key_id)
    if (!channel || !key) throw notFound()
    const key_hash = digest(key)
    const ofKey = and(eq(closedKeys.channel_id, channel_id), eq(closedKeys.key_hash, key_hash))
    yield* run(tx.delete(closedKeys).where(ofKey))
    if (status === ChannelStatus.enabled) return
    const row = { channel_id, key_hash, status, reason: 'manual', closed_time: now() }
    yield* run(tx.insert(closedKeys).values(row))
    if (!(yield* spareKeys(tx, channel)).length) throw new Refusal('channel.last_key', {}, 400, 'status')
  })
  forgetChannels()
  resetCircuits(channel_id)
  return keyStates(channel_id)
}

/** A channel as it is now, with its keys; nobody else changes it meanwhile, or counts its keys. */
export function* lockChannel(tx: Tx, id: number) {
  const [row] = yield* lock(tx, channels, eq(channels.id, id))
  return row && { ...row, keys: keysOf(unseal(row.key_sealed), row.type) }
}

/** The keys of a channel that are not closed. */
export function* spareKeys(tx: Tx, { id, keys }: { id: number; keys: string[] }) {
  const closed = yield* run(tx.select().from(closedKeys).where(eq(closedKeys.channel_id, id)))
  return keys.filter(key => closed.every(row => row.key_hash !== digest(key)))
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
