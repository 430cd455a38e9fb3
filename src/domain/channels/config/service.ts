/** Channels as operators create, change and delete them. Calls read `routing/routing-table.ts` instead. */
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { oncePerKey, type RepeatKey } from '../../../cluster/idempotency.ts'
import { Role } from '../../../contracts/account.ts'
import type { Actor } from '../../../contracts/actor.ts'
import {
  type ChannelChange,
  ChannelStatus,
  type Cooldowns,
  type KeyState,
  type NewChannel,
} from '../../../contracts/channel.ts'
import { notFound } from '../../../contracts/refusal.ts'
import { unseal } from '../../../crypto/sealing.ts'
import { atomic, lock, run } from '../../../db/atomic.ts'
import { db, type Tx } from '../../../db/database.ts'
import { now } from '../../../process/clock.ts'
import { announceChannels, channelById, cooldownsOf, keysOf, maskKey } from '../../routing/index.ts'
import { channels } from '../table.ts'
import { rebuildAbilities } from './abilities.ts'
import { isGuarded } from './address-guard.ts'
import { recordChannel } from './audit-entry.ts'
import { deleteChannels } from './batch.ts'
import { type Channel, manualChange, viewOf } from './channel.ts'
import { deleteOldKeys, enableAutoDisabledKeys, keyStates } from './keys.ts'
import { checkSameDestination, readsSetting, sealKeys, typeDefaults } from './validate.ts'

interface ChannelState extends Cooldowns {
  keys: KeyState[]
}

/** One channel with masked keys. @throws Refusal 404. */
export async function channelView(id: number): Promise<Channel & ChannelState> {
  const [row] = await db.select().from(channels).where(eq(channels.id, id))
  if (!row) throw notFound('channel.gone')
  const routed = await channelById(id)
  return { ...viewOf(row, await maskedKeys(id)), ...cooldownsOf(routed), keys: await keyStates(id) }
}

const maskedKeys = async (id: number) => ((await channelById(id))?.keys ?? []).map(maskKey).join(',')

/** @param repeat_key of a request that may be repeated. @throws Refusal 400 */
export async function createChannel(
  { key, ...given }: z.output<typeof NewChannel>,
  actor: Actor,
  repeat_key?: RepeatKey,
): Promise<Channel> {
  const once = { user_id: actor.id, action: 'channel.create', key: repeat_key, body: { key, ...given } }
  const insert = function* (tx: Tx) {
    const fields = { ...defaults, ...given }
    const values = {
      ...fields,
      ...typeDefaults(fields),
      guarded: isGuarded(actor, given.guarded, undefined, fields),
      key_sealed: sealKeys(key, fields.type),
      created_time: now(),
    }
    const [row] = yield* run(tx.insert(channels).values(values).returning())
    yield* rebuildAbilities(tx, [row!])
    yield* recordChannel(tx, actor, { action: 'channel.create', before: undefined, after: row })
    yield* announceChannels(tx)
    return row!.id
  }
  return channelView(await atomic(tx => oncePerKey(tx, once, insert)))
}

/**
 * Changes the given fields. An empty key, or the mask of the stored ones, keeps them.
 * @throws Refusal 404, or 400 for values that do not fit the type
 */
export async function changeChannel(
  { id, key, guarded: wanted, ...given }: z.output<typeof ChannelChange>,
  actor: Actor,
): Promise<Channel> {
  const mask = await maskedKeys(id)
  await atomic(function* (tx) {
    const [before] = yield* lock(tx, channels, eq(channels.id, id))
    if (!before) throw notFound('channel.gone')
    const fields = { ...before, ...given }
    const isNewKey = key && key !== mask
    if (!isNewKey && actor.role < Role.root) checkSameDestination(before, fields)
    const guarded = isGuarded(actor, wanted, before, fields)
    const change = {
      ...given,
      ...(isRetyped(before, fields) ? typeDefaults(fields) : {}),
      ...(guarded === before.guarded ? {} : { guarded }),
      ...(fields.status === before.status ? {} : { other_info: manualChange(now()) }),
      ...(isNewKey ? { key_sealed: sealKeys(key, fields.type) } : {}),
    }
    yield* announceChannels(tx, [id])
    if (!Object.keys(change).length) return
    const [after] = yield* run(tx.update(channels).set(change).where(eq(channels.id, id)).returning())
    yield* rebuildAbilities(tx, [after!])
    if (change.key_sealed) yield* deleteOldKeys(tx, id, keysOf(unseal(change.key_sealed), fields.type))
    const isEnabled = change.other_info && fields.status === ChannelStatus.enabled
    const enabled_keys = isEnabled ? yield* enableAutoDisabledKeys(tx, id) : []
    yield* recordChannel(tx, actor, { action: 'channel.edit', before, after, enabled_keys })
  })
  return channelView(id)
}

/** @throws Refusal 404. */
export async function deleteChannel(id: number, actor: Actor) {
  if (!(await deleteChannels({ ids: [id] }, actor))) throw notFound('channel.gone')
}

type TypedFields = Pick<Channel, 'type' | 'base_url' | 'other' | 'setting'>

/** Whether a field has changed that its type checks: what is stored may be older than a check. */
const isRetyped = (before: TypedFields, after: TypedFields): boolean =>
  before.type !== after.type ||
  before.base_url !== after.base_url ||
  before.other !== after.other ||
  (readsSetting(after.type) && before.setting !== after.setting)

const defaults = { type: 1, base_url: '', other: '', setting: '' }
