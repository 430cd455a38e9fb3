/** Takes back changes of users that the audit log holds: disabling, enabling, group and limits. */
import { eq, inArray } from 'drizzle-orm'
import { announce } from '../../cluster/changes.ts'
import { Role, UserStatus } from '../../contracts/account.ts'
import type { Actor } from '../../contracts/actor.ts'
import type { AuditAction, AuditEntry } from '../../contracts/audit-log.ts'
import { atomic, lock, run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { changedFields, stillHolds, valuesBefore } from '../audit-log/index.ts'
import { groupNames } from '../pricing/index.ts'
import type { User } from '../users/index.ts'
import { users } from '../users/table.ts'
import { mayChange, recordUserChange } from './authority.ts'
import { endAccess } from './sessions.ts'

const ACTIONS: readonly AuditAction[] = ['user.edit', 'user.disable', 'user.enable']
const UNDOABLE: readonly string[] = ['status', 'group', 'display_name', 'concurrency_limit', 'tokens_per_minute']

/** A balance is not: calls have used of it since. */
export const isUserChangeUndoable = (entry: AuditEntry): boolean =>
  ACTIONS.includes(entry.action) && changedFields(entry).every(name => UNDOABLE.includes(name))

/** Leaves alone what was changed since, and users whom the administrator may not change. @returns the number of entries taken back */
export async function undoUserChanges(actor: Actor, entries: AuditEntry[]): Promise<number> {
  return atomic(function* (tx) {
    const ids = entries.map(entry => Number(entry.target_id))
    const rows = new Map((yield* lock(tx, users, inArray(users.id, ids))).map(row => [row.id, row]))
    const undone: number[] = []
    for (const entry of entries) {
      const user = rows.get(Number(entry.target_id))
      const values: Partial<User> = valuesBefore(entry)
      if (!user || !isAllowed(actor, user, values) || !(yield* stillHolds(tx, entry, user))) continue
      yield* restore(tx, actor, user, values)
      undone.push(user.id)
    }
    yield* announce(tx, 'user', undone)
    return undone.length
  })
}

const isAllowed = (actor: Actor, user: User, { status, group }: Partial<User>) =>
  mayChange(actor, user) &&
  user.deleted_time === null &&
  (group === undefined || groupNames().includes(group)) &&
  (status !== UserStatus.banned || user.role < Role.root)

function* restore(tx: Tx, actor: Actor, user: User, values: Partial<User>) {
  const [after] = yield* run(tx.update(users).set(values).where(eq(users.id, user.id)).returning())
  if (values.status === UserStatus.banned) yield* endAccess(tx, user.id)
  yield* recordUserChange(tx, actor, actionOf(values), user, after)
}

function actionOf({ status }: Partial<User>): AuditAction {
  if (status === undefined) return 'user.edit'
  return status === UserStatus.banned ? 'user.disable' : 'user.enable'
}
