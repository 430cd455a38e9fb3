/** The abilities of channels: one row per group and model, rebuilt from the fields of the channel. */
import { inArray } from 'drizzle-orm'
import type { Actor } from '../../../contracts/actor.ts'
import { ChannelStatus } from '../../../contracts/channel.ts'
import { Refusal } from '../../../contracts/refusal.ts'
import { atomic, lock, run } from '../../../db/atomic.ts'
import type { Tx } from '../../../db/database.ts'
import { commaList } from '../../../pure/lists.ts'
import { recordChange } from '../../audit-log/index.ts'
import { announceChannels } from '../../routing/index.ts'
import { abilities, type ChannelRow, channels } from '../table.ts'

const ROWS_AT_ONCE = 1000
/** Limit of one channel, whose abilities are written in one transaction. */
const ABILITIES_MAX = 50_000

/**
 * Replaces the abilities of these channels, whose rows are locked.
 * @returns the number of rows
 * @throws Refusal 400 for more than `ABILITIES_MAX` of one channel
 */
export function* rebuildAbilities(tx: Tx, rows: ChannelRow[]) {
  const ids = rows.map(({ id }) => id)
  yield* run(tx.delete(abilities).where(inArray(abilities.channel_id, ids)))
  const all = rows.flatMap(abilitiesOf)
  for (let at = 0; at < all.length; at += ROWS_AT_ONCE) {
    yield* run(tx.insert(abilities).values(all.slice(at, at + ROWS_AT_ONCE)))
  }
  return all.length
}

/** Replaces the abilities of every channel. @returns the number of rows */
export async function fixAbilities(actor: Actor): Promise<number> {
  return atomic(function* (tx) {
    const count = yield* rebuildAbilities(tx, yield* lock(tx, channels, undefined))
    const target = { kind: 'channel', id: '' }
    yield* recordChange(tx, actor, { action: 'channel.fix', target, after: { abilities: count } })
    yield* announceChannels(tx)
    return count
  })
}

/** The prefix is part of the name that clients request. */
function abilitiesOf({ id, status, priority, weight, model_prefix, ...lists }: ChannelRow) {
  const common = { channel_id: id, enabled: status === ChannelStatus.enabled, priority, weight }
  const [models, groups] = [commaList(lists.models), commaList(lists.group)]
  if (models.length * groups.length > ABILITIES_MAX)
    throw new Refusal('channel.too_many_models', { limit: ABILITIES_MAX }, 400, 'models')
  return groups.flatMap(group => models.map(name => ({ group, model: model_prefix + name, ...common })))
}
