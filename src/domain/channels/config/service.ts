/** Channels as operators list, create, change and delete them. Calls read `routing/routing-table.ts` instead. */
import { and, asc, desc, eq, inArray, lt, or, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { Role } from '../../../contracts/account.ts'
import type { Actor } from '../../../contracts/actor.ts'
import type { AuditAction } from '../../../contracts/audit-log.ts'
import {
  type ChannelChange,
  ChannelStatus,
  type Cooldown,
  type KeyState,
  type NewChannel,
} from '../../../contracts/channel.ts'
import { pageOf } from '../../../contracts/paging.ts'
import { notFound } from '../../../contracts/refusal.ts'
import { unseal } from '../../../crypto/sealing.ts'
import { atomic, lock, run } from '../../../db/atomic.ts'
import { batchesOf } from '../../../db/batches.ts'
import { db, type Tx } from '../../../db/database.ts'
import { contains, count, listed } from '../../../db/fragments.ts'
import { now } from '../../../process/clock.ts'
import { commaList } from '../../../pure/lists.ts'
import { recordChange } from '../../audit-log/index.ts'
import { resetCircuits } from '../health/breaker.ts'
import { cooldownOfChannel } from '../health/outcome.ts'
import { keysOf, maskKey } from '../routing/channel-keys.ts'
import { channelById, channelsWithKey, invalidateChannels } from '../routing/routing-table.ts'
import { abilities, type ChannelRow, channels } from '../table.ts'
import { isGuarded } from './guarded.ts'
import { deleteOldKeys, enableAutoDisabledKeys, keyStates } from './keys.ts'
import { checkSameDestination, sealKeys, typeDefaults } from './validate.ts'

/** A channel as operators see it, its keys masked. */
export type Channel = Omit<ChannelRow, 'key_sealed'> & { key: string }

interface ChannelState {
  /** Present while the circuits of the channel or of all its keys are open. */
  rest: Cooldown | undefined
  keys: KeyState[]
}

export interface ChannelQuery {
  keyword?: string
  group?: string
  model?: string
  status?: number
  /** Newest first instead of highest priority first. */
  id_sort?: boolean
  p?: string
  page_size?: string
}

/** One page of channels, without keys, and the number of all that match. */
export async function pageOfChannels(query: ChannelQuery): Promise<{ channels: Channel[]; total: number }> {
  const { size, offset } = pageOf({ ...query }, 0)
  const found = await conditionOf(query)
  const order = query.id_sort ? [desc(channels.id)] : [desc(channels.priority), desc(channels.id)]
  const rows = await db
    .select()
    .from(channels)
    .where(found)
    .orderBy(...order)
    .limit(size)
    .offset(offset)
  const [counted] = await db.select({ total: count() }).from(channels).where(found)
  return { channels: rows.map(row => viewOf(row, '')), total: counted?.total ?? 0 }
}

/** Every match, newest first, in batches. */
export async function* walkChannels(query: ChannelQuery): AsyncGenerator<Channel[]> {
  const found = await conditionOf(query)
  yield* batchesOf<Channel>(async (last, size) => {
    const behind = and(found, last && lt(channels.id, last.id))
    const rows = await db.select().from(channels).where(behind).orderBy(desc(channels.id)).limit(size)
    return rows.map(row => viewOf(row, ''))
  })
}

async function conditionOf({ keyword, group, model, status }: ChannelQuery): Promise<SQL | undefined> {
  const conditions: (SQL | undefined)[] = []
  if (keyword) {
    const ids = await channelsWithKey(keyword)
    if (/^\d{1,15}$/.test(keyword)) ids.push(Number(keyword))
    const text = or(contains(channels.name, keyword), contains(channels.base_url, keyword))
    conditions.push(ids.length ? or(inArray(channels.id, ids), text) : text)
  }
  if (group) conditions.push(listed(channels.group, group))
  if (model) conditions.push(contains(channels.models, model))
  if (status) conditions.push(eq(channels.status, status))
  return and(...conditions)
}

/** Every group that a channel names, with or without a ratio. */
export async function groupsInUse(): Promise<string[]> {
  const rows = await db.selectDistinct({ group: channels.group }).from(channels).orderBy(asc(channels.group))
  return commaList(rows.map(row => row.group).join(','))
}

/** One channel with masked keys. @throws Refusal 404. */
export async function channelView(id: number): Promise<Channel & ChannelState> {
  const [row] = await db.select().from(channels).where(eq(channels.id, id))
  if (!row) throw notFound()
  const routed = await channelById(id)
  const rest = routed && cooldownOfChannel(routed)
  return { ...viewOf(row, await maskedKeys(id)), rest, keys: await keyStates(id) }
}

const maskedKeys = async (id: number) => ((await channelById(id))?.keys ?? []).map(maskKey).join(',')

/** @throws Refusal 400 */
export async function createChannel({ key, ...given }: z.output<typeof NewChannel>, actor: Actor): Promise<Channel> {
  const created = await atomic(function* (tx) {
    const fields = { ...defaults, ...given }
    const values = {
      ...fields,
      ...typeDefaults(fields),
      guarded: isGuarded(actor, given.guarded, undefined, fields),
      key_sealed: sealKeys(key, fields.type),
      created_time: now(),
    }
    const [row] = yield* run(tx.insert(channels).values(values).returning())
    yield* rebuildAbilities(tx, row!)
    yield* record(tx, actor, 'channel.create', row!, {}, settingsOf(row!))
    return row!
  })
  invalidateChannels()
  return channelView(created.id)
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
    if (!before) throw notFound()
    const fields = { ...before, ...given }
    const isNewKey = key && key !== mask
    if (!isNewKey && actor.role < Role.root) checkSameDestination(before, fields)
    const guarded = isGuarded(actor, wanted, before, fields)
    const change = {
      ...given,
      ...(isRetyped(before, fields) ? typeDefaults(fields) : {}),
      ...(guarded === before.guarded ? {} : { guarded }),
      ...(fields.status === before.status ? {} : { other_info: manualChange() }),
      ...(isNewKey ? { key_sealed: sealKeys(key, fields.type) } : {}),
    }
    if (!Object.keys(change).length) return
    const [after] = yield* run(tx.update(channels).set(change).where(eq(channels.id, id)).returning())
    yield* rebuildAbilities(tx, after!)
    yield* record(tx, actor, 'channel.edit', after!, settingsOf(before), settingsOf(after!))
    if (change.key_sealed) yield* deleteOldKeys(tx, id, keysOf(unseal(change.key_sealed), fields.type))
    if (change.other_info && fields.status === ChannelStatus.enabled) yield* enableAutoDisabledKeys(tx, id)
  })
  invalidateChannels()
  resetCircuits(id)
  return channelView(id)
}

/** @throws Refusal 404. */
export async function deleteChannel(id: number, actor: Actor) {
  await atomic(function* (tx) {
    const [deleted] = yield* run(tx.delete(channels).where(eq(channels.id, id)).returning())
    if (!deleted) throw notFound()
    yield* record(tx, actor, 'channel.delete', deleted, settingsOf(deleted), {})
  })
  invalidateChannels()
  resetCircuits(id)
}

type Settings = Record<string, unknown>

/** What operators set: without figures that change by themselves. The sealed keys show whether they were changed. */
function settingsOf({ key_sealed: key, ...row }: ChannelRow): Settings {
  const { id, used_quota, response_time, test_time, balance, balance_updated_time, other_info, created_time, ...set } =
    row
  return { ...set, key }
}

/** `setting` may hold the password of a proxy. */
const secrets = ['key', 'setting']

function* record(
  tx: Tx,
  actor: Actor,
  action: AuditAction,
  { id, name }: ChannelRow,
  before: Settings,
  after: Settings,
) {
  yield* recordChange(tx, actor, { action, target: { kind: 'channel', id, name }, before, after, secrets })
}

/** Whether a field has changed that its type checks: what is stored may be older than a check. */
const isRetyped = (before: ChannelRow, after: ChannelRow): boolean =>
  before.type !== after.type || before.base_url !== after.base_url || before.other !== after.other

const defaults = { type: 1, base_url: '', other: '', setting: '' }

const manualChange = () => JSON.stringify({ status_reason: 'manual', status_time: now() })

const ROWS_AT_ONCE = 1000

/** Writes one row per group and model; the prefix is part of the name that clients request. */
function* rebuildAbilities(tx: Tx, channel: ChannelRow) {
  const { id: channel_id, status, priority, weight, model_prefix } = channel
  const enabled = status === ChannelStatus.enabled
  const rows = commaList(channel.group).flatMap(group =>
    commaList(channel.models).map(name => ({
      group,
      model: model_prefix + name,
      channel_id,
      enabled,
      priority,
      weight,
    })),
  )
  yield* run(tx.delete(abilities).where(eq(abilities.channel_id, channel_id)))
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    yield* run(tx.insert(abilities).values(rows.slice(at, at + ROWS_AT_ONCE)))
  }
}

const viewOf = ({ key_sealed, ...row }: ChannelRow, key: string): Channel => ({ ...row, key })
