/** Changes of several channels in one transaction: those with given ids, those of a tag, all disabled ones. */
import { eq, inArray, ne } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '../../../contracts/actor.ts'
import { ChannelStatus } from '../../../contracts/channel.ts'
import type { TagChange } from '../../../contracts/channel-batch.ts'
import { notFound } from '../../../contracts/refusal.ts'
import { atomic, lock, run } from '../../../db/atomic.ts'
import { db, type Tx } from '../../../db/database.ts'
import { now } from '../../../process/clock.ts'
import { announceChannels } from '../../routing/index.ts'
import { abilities, type ChannelRow, channels } from '../table.ts'
import { rebuildAbilities } from './abilities.ts'
import { recordChannel } from './audit-entry.ts'
import { manualChange } from './channel.ts'
import { enableAutoDisabledKeys } from './keys.ts'

/** Which channels: these ids, those of a tag, or every disabled and auto-disabled one. */
export type ChannelSet = { ids: number[] } | { tag: string } | { disabled: true }

export type SharedFields = Partial<
  Pick<ChannelRow, 'status' | 'tag' | 'models' | 'group' | 'model_mapping' | 'priority' | 'weight'>
>

const conditionOf = (set: ChannelSet) => {
  if ('ids' in set) return inArray(channels.id, set.ids)
  return 'tag' in set ? eq(channels.tag, set.tag) : ne(channels.status, ChannelStatus.enabled)
}

/** Id and name of the channels, ordered by id. */
export const namesOf = (set: ChannelSet) =>
  db.select({ id: channels.id, name: channels.name }).from(channels).where(conditionOf(set)).orderBy(channels.id)

/**
 * Gives the same values to all of them. @returns their number
 * @throws Refusal 404 when none is left
 */
export async function changeChannels(set: ChannelSet, fields: SharedFields, actor: Actor): Promise<number> {
  return atomic(function* (tx) {
    const found = yield* lock(tx, channels, conditionOf(set))
    if (!found.length) throw notFound('channel.gone')
    const isDifferent = (row: ChannelRow) => Object.entries(fields).some(([name, value]) => row[name as 'id'] !== value)
    const before = new Map(found.filter(isDifferent).map(row => [row.id, row]))
    const changed = [...before.keys()]
    if (!changed.length) return found.length
    const other_info = fields.status === undefined ? {} : { other_info: manualChange(now()) }
    const where = inArray(channels.id, changed)
    const rows = yield* run(
      tx
        .update(channels)
        .set({ ...fields, ...other_info })
        .where(where)
        .returning(),
    )
    yield* updateAbilities(tx, rows, fields)
    for (const after of rows.sort((a, b) => a.id - b.id)) {
      const isEnabled = fields.status === ChannelStatus.enabled
      const enabled_keys = isEnabled ? yield* enableAutoDisabledKeys(tx, after.id) : []
      yield* recordChannel(tx, actor, { action: 'channel.edit', before: before.get(after.id), after, enabled_keys })
    }
    yield* announceChannels(tx, changed)
    return found.length
  })
}

function* updateAbilities(tx: Tx, rows: ChannelRow[], { status, models, group, priority, weight }: SharedFields) {
  if (models !== undefined || group !== undefined) return yield* rebuildAbilities(tx, rows)
  const enabled = status === undefined ? undefined : status === ChannelStatus.enabled
  const ids = rows.map(({ id }) => id)
  if (enabled === undefined && priority === undefined && weight === undefined) return
  yield* run(tx.update(abilities).set({ enabled, priority, weight }).where(inArray(abilities.channel_id, ids)))
}

/** @returns the number of channels of the tag. @throws Refusal 404 */
export function changeTag(
  { tag, new_tag, groups, ...given }: z.output<typeof TagChange>,
  actor: Actor,
): Promise<number> {
  const fields = Object.entries({ ...given, group: groups, tag: new_tag }).filter(([, value]) => value !== undefined)
  return changeChannels({ tag }, Object.fromEntries(fields), actor)
}

/** Deletes channels with their abilities. @returns the number that still existed */
export async function deleteChannels(set: ChannelSet, actor: Actor): Promise<number> {
  return atomic(function* (tx) {
    const rows = yield* lock(tx, channels, conditionOf(set))
    const ids = rows.map(({ id }) => id)
    if (!ids.length) return 0
    yield* run(tx.delete(channels).where(inArray(channels.id, ids)))
    for (const before of rows) {
      yield* recordChannel(tx, actor, { action: 'channel.delete', before, after: undefined })
    }
    yield* announceChannels(tx, ids)
    return ids.length
  })
}
