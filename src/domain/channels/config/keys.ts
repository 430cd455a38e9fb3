/** The keys of a channel, listed and switched one by one by operators. */
import { and, eq, notInArray } from 'drizzle-orm'
import type { Actor } from '../../../contracts/actor.ts'
import type { AuditEntry } from '../../../contracts/audit-log.ts'
import { ChannelStatus, type KeyState } from '../../../contracts/channel.ts'
import { notFound, Refusal } from '../../../contracts/refusal.ts'
import { digest } from '../../../crypto/sealing.ts'
import { atomic, run } from '../../../db/atomic.ts'
import { db, type Tx } from '../../../db/database.ts'
import { now } from '../../../process/clock.ts'
import { changedFields, recordChange, stillHolds } from '../../audit-log/index.ts'
import {
  announceChannels,
  channelById,
  cooldownsOfKey,
  enabledKeys,
  lockChannel,
  maskKey,
} from '../../routing/index.ts'
import { disabledKeys } from '../table.ts'

const ID_LENGTH = 16

/** Identifies a key on the wire without revealing it. */
const idOf = (key: string) => digest(key).slice(0, ID_LENGTH)

/** Every key of a channel, masked, with its status and cooldown. Empty for an unknown channel. */
export async function keyStates(channel_id: number): Promise<KeyState[]> {
  const channel = await channelById(channel_id)
  if (!channel) return []
  const disabled = await db.select().from(disabledKeys).where(eq(disabledKeys.channel_id, channel_id))
  const byHash = new Map(disabled.map(row => [row.key_hash, row]))
  return channel.keys.map(key => {
    const { status = ChannelStatus.enabled, reason = '', closed_time: time = 0 } = byHash.get(digest(key)) ?? {}
    return { id: idOf(key), key: maskKey(key), status, reason, time, ...cooldownsOfKey(channel, key) }
  })
}

/** Enables or disables one key. @throws Refusal 404, or 400 when the channel would have no enabled key left. */
export async function switchKey(channel_id: number, key_id: string, status: number, actor: Actor): Promise<KeyState[]> {
  await atomic(function* (tx) {
    const channel = yield* lockChannel(tx, channel_id)
    const key = channel?.keys.find(one => idOf(one) === key_id)
    if (!channel || !key) throw notFound()
    const key_hash = digest(key)
    const ofKey = and(eq(disabledKeys.channel_id, channel_id), eq(disabledKeys.key_hash, key_hash))
    const [disabled] = yield* run(tx.delete(disabledKeys).where(ofKey).returning())
    yield* recordChange(tx, actor, {
      action: 'channel.switch_key',
      target: { kind: 'channel', id: channel_id, name: channel.name },
      before: {
        [maskKey(key)]: disabled?.status ?? ChannelStatus.enabled,
        ...(disabled?.status === ChannelStatus.autoDisabled && { enabled_keys: [disabled] }),
      },
      after: { [maskKey(key)]: status },
    })
    yield* announceChannels(tx, [channel_id])
    if (status === ChannelStatus.enabled) return
    const row = { channel_id, key_hash, status, reason: 'manual', closed_time: now() }
    yield* run(tx.insert(disabledKeys).values(row))
    if (!(yield* enabledKeys(tx, channel)).length) throw new Refusal('channel.last_key', {}, 400, 'status')
  })
  return keyStates(channel_id)
}

/**
 * Gives a key the state that it had before an operator switched it.
 * @returns false where it has another one by now, where two keys look alike in the entry, and for the last enabled key
 */
export function* undoKeySwitch(tx: Tx, actor: Actor, entry: AuditEntry) {
  const channel = yield* lockChannel(tx, Number(entry.target_id))
  const mask = changedFields(entry).find(name => name !== 'enabled_keys')
  const [key, ...others] = channel?.keys.filter(one => maskKey(one) === mask) ?? []
  if (!channel || !mask || !key || others.length) return false
  const key_hash = digest(key)
  const ofKey = and(eq(disabledKeys.channel_id, channel.id), eq(disabledKeys.key_hash, key_hash))
  const [disabled] = yield* run(tx.select().from(disabledKeys).where(ofKey))
  const current = disabled?.status ?? ChannelStatus.enabled
  if (!(yield* stillHolds(tx, entry, { [mask]: current }))) return false
  const status = Number(entry.before[mask])
  const enabled = yield* enabledKeys(tx, channel)
  if (status !== ChannelStatus.enabled && enabled.every(one => one === key)) return false
  yield* run(tx.delete(disabledKeys).where(ofKey))
  if (status !== ChannelStatus.enabled) {
    const [kept] = (entry.before.enabled_keys ?? []) as (typeof disabledKeys.$inferInsert)[]
    const byHand = { channel_id: channel.id, key_hash, status, reason: 'manual', closed_time: now() }
    yield* run(tx.insert(disabledKeys).values(kept ?? byHand))
  }
  const { id, name } = channel
  const target = { kind: 'channel', id, name } as const
  const [before, after] = [{ [mask]: current }, { [mask]: status }]
  yield* recordChange(tx, actor, { action: 'channel.switch_key', target, before, after })
  return true
}

/** Deletes the rows of keys that the channel no longer has. */
export function* deleteOldKeys(tx: Tx, channel_id: number, keys: string[]) {
  yield* run(
    tx
      .delete(disabledKeys)
      .where(and(eq(disabledKeys.channel_id, channel_id), notInArray(disabledKeys.key_hash, keys.map(digest)))),
  )
}

/** Enables every auto-disabled key: an operator who enables a channel gives its keys another try. @returns their rows */
export function* enableAutoDisabledKeys(tx: Tx, channel_id: number) {
  const autoDisabled = eq(disabledKeys.status, ChannelStatus.autoDisabled)
  const ofChannel = and(eq(disabledKeys.channel_id, channel_id), autoDisabled)
  return yield* run(tx.delete(disabledKeys).where(ofChannel).returning())
}
