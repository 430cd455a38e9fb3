/** What administrators do with users: promote, demote, disable, enable, deregister, sign out. */
import { eq, inArray } from 'drizzle-orm'
import { announce } from '../../cluster/changes.ts'
import { oncePerKey, type RepeatKey } from '../../cluster/idempotency.ts'
import { Role, UserStatus } from '../../contracts/account.ts'
import type { Actor } from '../../contracts/actor.ts'
import { forbidden, Refusal } from '../../contracts/refusal.ts'
import type { AmountToAdd } from '../../contracts/top-up.ts'
import type { UserAction } from '../../contracts/user.ts'
import { atomic, lock, run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import type { Language } from '../../locales/languages.ts'
import { now } from '../../process/clock.ts'
import { groupNames } from '../pricing/index.ts'
import type { User } from '../users/index.ts'
import { users } from '../users/table.ts'
import { lockedUser, mayChange, recordUserChange } from './authority.ts'
import { mailResetLink } from './password-reset.ts'
import { endAccess, endSessions } from './sessions.ts'
import { addQuota } from './top-up.ts'

/** @throws Refusal for what this administrator may not do, and for a user who is in that state already */
export async function manageUser(actor: Actor, id: number, action: UserAction): Promise<User> {
  return atomic(function* (tx) {
    const before = yield* lockedUser(tx, actor, id, action === 'delete' ? 'cannot_delete' : 'cannot_update')
    check[action](actor, before)
    const user = yield* apply(tx, actor, before, action)
    yield* announce(tx, 'user', [id])
    return user
  })
}

const notRoot = (user: User, code: 'root_demote' | 'root_disable' | 'root_delete') => {
  if (user.role >= Role.root) throw new Refusal(`user.${code}`)
}

const check: Record<UserAction, (actor: Actor, user: User) => void> = {
  promote: (actor, user) => {
    if (actor.role < Role.root) throw forbidden('user.only_root_promotes')
    if (user.role >= Role.admin) throw new Refusal('user.already_admin')
  },
  demote: (_, user) => {
    notRoot(user, 'root_demote')
    if (user.role === Role.user) throw new Refusal('user.already_user')
  },
  disable: (_, user) => notRoot(user, 'root_disable'),
  enable: () => {},
  delete: (_, user) => notRoot(user, 'root_delete'),
}

const changesOf: Record<UserAction, () => Partial<User>> = {
  promote: () => ({ role: Role.admin }),
  demote: () => ({ role: Role.user }),
  disable: () => ({ status: UserStatus.banned }),
  enable: () => ({ status: UserStatus.enabled }),
  // The row stays with its ledger and usage; its names stay taken.
  delete: () => ({ deleted_time: now() }),
}

function* apply(tx: Tx, actor: Actor, before: User, action: UserAction) {
  const isUser = eq(users.id, before.id)
  const [user] = yield* run(tx.update(users).set(changesOf[action]()).where(isUser).returning())
  if (action !== 'enable') yield* endAccess(tx, before.id)
  yield* recordUserChange(tx, actor, `user.${action}`, before, user)
  return user!
}

/** Ends every session of a user. */
export async function signOutEverywhere(actor: Actor, id: number): Promise<User> {
  return atomic(function* (tx) {
    const user = yield* lockedUser(tx, actor, id, 'cannot_update')
    yield* endSessions(tx, id)
    yield* recordUserChange(tx, actor, 'user.sign_out', user)
    yield* announce(tx, 'session', [id])
    return user
  })
}

/** Mails a link for a new password to a user's address. @throws Refusal `user.no_email`, within 30 s of the last one */
export async function mailResetLinkFor(actor: Actor, id: number, language: Language): Promise<User> {
  const user = await atomic(tx => lockedUser(tx, actor, id, 'cannot_update'))
  if (!user.email) throw new Refusal('user.no_email')
  await mailResetLink(user.email, language)
  await atomic(tx => recordUserChange(tx, actor, 'user.reset_link', user))
  return user
}

/** Disables those among the users whom the administrator may disable. @returns them */
export const disableUsers = (actor: Actor, ids: number[]) =>
  changeAll(actor, ids, isDisablable, (tx, user) => apply(tx, actor, user, 'disable'))

const isDisablable = (user: User) => user.role < Role.root && user.status === UserStatus.enabled

/** Enables those among the users whom the administrator may enable. @returns them */
export const enableUsers = (actor: Actor, ids: number[]) =>
  changeAll(actor, ids, isBanned, (tx, user) => apply(tx, actor, user, 'enable'))

const isBanned = (user: User) => user.status === UserStatus.banned

/**
 * Adds quota to the balance of those among the users whom the administrator may change.
 * @param key of a request that may be repeated
 * @returns how many they are
 * @throws Refusal 400 for a balance below zero: then no balance changes
 */
export const topUpUsers = (actor: Actor, ids: number[], { quota, remark }: AmountToAdd, key?: RepeatKey) =>
  atomic(tx =>
    oncePerKey(tx, { user_id: actor.id, action: 'user.top_up', key, body: { ids, quota, remark } }, function* () {
      const added = yield* changeAllIn(
        tx,
        actor,
        ids,
        () => true,
        (tx, user) => addQuota(tx, actor, user, quota, remark),
      )
      return added.length
    }),
  )

/** Sets the group of those among the users whom the administrator may change. @returns them */
export async function regroupUsers(actor: Actor, ids: number[], group: string): Promise<User[]> {
  if (!groupNames().includes(group)) throw new Refusal('user.group_unknown', { group }, 400, 'group')
  return changeAll(
    actor,
    ids,
    user => user.group !== group,
    function* (tx, user) {
      yield* run(tx.update(users).set({ group }).where(eq(users.id, user.id)))
      yield* recordUserChange(tx, actor, 'user.edit', user, { ...user, group })
    },
  )
}

/** Changes users of a selection in one transaction, and leaves out those who cannot be changed. */
const changeAll = (...args: ChangeAll): Promise<User[]> => atomic(tx => changeAllIn(tx, ...args))

type ChangeAll = [
  actor: Actor,
  ids: number[],
  applies: (user: User) => boolean,
  change: (tx: Tx, user: User) => Generator<PromiseLike<unknown>, unknown, unknown>,
]

function* changeAllIn(tx: Tx, ...[actor, ids, applies, change]: ChangeAll) {
  const rows = yield* lock(tx, users, inArray(users.id, ids))
  const able = rows.filter(user => mayChange(actor, user) && user.deleted_time === null && applies(user))
  for (const user of able) yield* change(tx, user)
  yield* announce(
    tx,
    'user',
    able.map(({ id }) => id),
  )
  return able
}
