/** Administrators create users and change their fields and balances. */
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { announce } from '../../cluster/changes.ts'
import { oncePerKey, type RepeatKey } from '../../cluster/idempotency.ts'
import { Role, Username } from '../../contracts/account.ts'
import type { Actor } from '../../contracts/actor.ts'
import type { LimitChange } from '../../contracts/budget.ts'
import { parse } from '../../contracts/parse.ts'
import { forbidden, Refusal } from '../../contracts/refusal.ts'
import { fixedFields, type UserCreation, type UserEdit, type UserView } from '../../contracts/user.ts'
import { hashPassword } from '../../crypto/passwords.ts'
import { atomic, run } from '../../db/atomic.ts'
import { atomicUnless } from '../../db/atomic-unless.ts'
import { recordChange } from '../audit-log/index.ts'
import { groupNames } from '../pricing/index.ts'
import { welcome } from '../rewards/index.ts'
import { addUser, checkUsernameFree, renamed, type User, usernameTaken, viewFor } from '../users/index.ts'
import { users } from '../users/table.ts'
import { lockedUser, recordUserChange } from './authority.ts'
import { withLimit } from './manage-budgets.ts'
import { knownTicket } from './password-tickets.ts'
import { endAccess } from './sessions.ts'
import { changeQuota } from './top-up.ts'

/**
 * Creates an ordinary user with the quota of new users.
 * @param key of a request that may be repeated
 * @throws Refusal 400, 403, `account.username_taken`
 */
export async function createUser(
  actor: Actor,
  { role = Role.user, ...creation }: UserCreation,
  key?: RepeatKey,
): Promise<UserView> {
  if (role >= actor.role) throw forbidden('user.cannot_create')
  if (role !== Role.user) throw new Refusal('user.created_as_user', {}, 400, 'role')
  const { username } = creation
  await checkUsernameFree(username)
  const password = await hashPassword(creation.password, await knownTicket(actor.id))
  const once = { user_id: actor.id, action: 'user.create', key, body: creation }
  const id = await atomic(tx =>
    oncePerKey(tx, once, function* () {
      const display_name = creation.display_name || username
      const user = yield* addUser(tx, { username, display_name, password, role })
      yield* welcome(tx, user, undefined)
      const target = { kind: 'user', id: user.id, name: username }
      yield* recordChange(tx, actor, { action: 'user.create', target, after: { username, display_name } })
      return user.id
    }),
  )
  return viewFor(actor, id)
}

/**
 * Changes the given fields, all or none. A new password ends the sessions and the access token of the user.
 * @throws Refusal 400, 403, 404, and 409 for a balance that is no longer the one that was read
 */
export async function editUser(actor: Actor, edit: UserEdit, limit?: LimitChange): Promise<UserView> {
  const { id } = edit
  const password = edit.password && (await hashPassword(edit.password, await knownTicket(actor.id)))
  await atomicUnless(usernameTaken, function* (tx) {
    const user = yield* lockedUser(tx, actor, id, 'cannot_update')
    checkFixed(edit, user)
    const changes = { ...changedNames(edit, user), ...(password && { password }) }
    const columns = { ...changes, ...(yield* renamed(tx, user, changes.username ?? user.username)) }
    if (Object.keys(columns).length) yield* run(tx.update(users).set(columns).where(eq(users.id, id)))
    if (password) yield* endAccess(tx, id)
    const quota = yield* changeQuota(tx, actor, user, deltaOf(edit, user))
    yield* recordUserChange(tx, actor, 'user.edit', user, { ...user, ...changes, quota })
    yield* announce(tx, 'user', [id])
    yield* withLimit({ actor }, 'user', limit)?.(tx, id) ?? []
  })
  return viewFor(actor, id)
}

function checkFixed(edit: UserEdit, user: User) {
  const field = fixedFields.find(name => edit[name] !== undefined && edit[name] !== user[name])
  if (field) throw new Refusal('user.field_fixed', { field }, 400, field)
}

const NewName = z.object({ username: Username })

type NamedFields = Partial<
  Pick<User, 'username' | 'display_name' | 'group' | 'concurrency_limit' | 'tokens_per_minute'>
>

function changedNames(edit: UserEdit, user: User): NamedFields {
  const names = ['username', 'display_name', 'group', 'concurrency_limit', 'tokens_per_minute'] as const
  const changes: NamedFields = Object.fromEntries(
    names.filter(name => edit[name] !== undefined && edit[name] !== user[name]).map(name => [name, edit[name]]),
  )
  const { username, group } = changes
  if (username !== undefined) parse(NewName, { username })
  if (group !== undefined && !groupNames().includes(group))
    throw new Refusal('user.group_unknown', { group }, 400, 'group')
  return changes
}

/** What the edit adds to the balance. @throws Refusal 409 when the balance has changed since it was read */
function deltaOf({ quota, quota_read, quota_delta }: UserEdit, user: User): number {
  const isChanged = quota !== undefined && quota !== quota_read
  if (!isChanged) return quota_delta ?? 0
  if (quota < 0) throw new Refusal('user.quota_negative', {}, 400, 'quota')
  if (quota_delta) throw new Refusal('user.quota_twice', {}, 400, 'quota_delta')
  if (quota_read !== undefined && quota_read !== user.quota)
    throw new Refusal('user.quota_conflict', { read: quota_read, now: user.quota }, 409, 'quota')
  return quota - user.quota
}
