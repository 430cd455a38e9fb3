/** Takes back changes of channels that the audit log holds: their status, that of a key, and what several channels share. */
import { eq, inArray } from 'drizzle-orm'
import type { Actor } from '../../../contracts/actor.ts'
import type { AuditEntry } from '../../../contracts/audit-log.ts'
import { atomic, lock, run } from '../../../db/atomic.ts'
import type { Tx } from '../../../db/database.ts'
import { changedFields, stillHolds, valuesBefore } from '../../audit-log/index.ts'
import { announceChannels } from '../../routing/index.ts'
import { type ChannelRow, channels, disabledKeys } from '../table.ts'
import { rebuildAbilities } from './abilities.ts'
import { recordChannel } from './audit-entry.ts'
import { undoKeySwitch } from './keys.ts'

const UNDOABLE: readonly string[] = [
  ...(['status', 'other_info', 'tag', 'models', 'group', 'model_mapping', 'priority', 'weight'] as const),
  'enabled_keys',
]

/** A change of the address, the key or another setting of one channel is not: its old key is not kept. */
export const isChannelChangeUndoable = (entry: AuditEntry): boolean =>
  entry.action === 'channel.switch_key' ||
  (entry.action === 'channel.edit' && changedFields(entry).every(name => UNDOABLE.includes(name)))

/** Leaves alone what was changed since. @returns the number of entries taken back */
export async function undoChannelChanges(actor: Actor, entries: AuditEntry[]): Promise<number> {
  return atomic(function* (tx) {
    const ids = entries.map(entry => Number(entry.target_id))
    const rows = new Map((yield* lock(tx, channels, inArray(channels.id, ids))).map(row => [row.id, row]))
    const undone: number[] = []
    for (const entry of entries) {
      const row = rows.get(Number(entry.target_id))
      if (!row) continue
      if (entry.action === 'channel.switch_key') {
        if (!(yield* undoKeySwitch(tx, actor, entry))) continue
      } else {
        if (!(yield* stillHolds(tx, entry, row))) continue
        yield* restore(tx, actor, row, valuesBefore(entry))
      }
      undone.push(row.id)
    }
    if (undone.length) yield* announceChannels(tx, undone)
    return undone.length
  })
}

function* restore(tx: Tx, actor: Actor, before: ChannelRow, { enabled_keys = [], ...values }: Record<string, unknown>) {
  const [after] = yield* run(tx.update(channels).set(values).where(eq(channels.id, before.id)).returning())
  yield* rebuildAbilities(tx, [after!])
  const keys = enabled_keys as (typeof disabledKeys.$inferInsert)[]
  if (keys.length) yield* run(tx.insert(disabledKeys).values(keys).onConflictDoNothing())
  yield* recordChannel(tx, actor, { action: 'channel.edit', before, after })
}
