/** Which recorded changes can be taken back: those that still hold. */
import { and, asc, eq, gt, gte } from 'drizzle-orm'
import type { Actor } from '../../contracts/actor.ts'
import type { AuditEntry } from '../../contracts/audit-log.ts'
import { run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { looseText } from './service.ts'
import { auditLog } from './table.ts'

const UNDO_SECONDS = 900

/** What one request of an administrator has changed in the last 15 minutes, in the order of the changes. */
export async function changesOfRequest({ id }: Pick<Actor, 'id'>, request_id: string): Promise<AuditEntry[]> {
  const rows = await db
    .select()
    .from(auditLog)
    .where(
      and(
        eq(auditLog.actor_id, id),
        gte(auditLog.created_time, now() - UNDO_SECONDS),
        eq(auditLog.request_id, request_id),
      ),
    )
    .orderBy(asc(auditLog.id))
  return rows as AuditEntry[]
}

/** Names of the fields that a change has touched. */
export const changedFields = ({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string[] => [
  ...new Set([...Object.keys(before), ...Object.keys(after)]),
]

/** Values from before a change. A field that was blank is an empty text. */
export const valuesBefore = (entry: Pick<AuditEntry, 'before' | 'after'>): Record<string, unknown> =>
  Object.fromEntries(changedFields(entry).map(name => [name, entry.before[name] ?? '']))

/** Whether the target, whose row is locked, has what a change wrote, and no later change has touched these fields. */
export function* stillHolds(tx: Tx, entry: AuditEntry, row: object) {
  const fields = changedFields(entry)
  const current = row as Record<string, unknown>
  if (fields.some(name => looseText(current, name) !== looseText(entry.after, name))) return false
  const later = yield* run(
    tx
      .select({ before: auditLog.before, after: auditLog.after })
      .from(auditLog)
      .where(
        and(
          eq(auditLog.target_kind, entry.target_kind),
          eq(auditLog.target_id, entry.target_id),
          gte(auditLog.created_time, entry.created_time),
          gt(auditLog.id, entry.id),
        ),
      ),
  )
  return !later.some(change => changedFields(change as AuditEntry).some(name => fields.includes(name)))
}
