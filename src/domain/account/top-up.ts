/** Administrators add quota to a balance, or take it away, with a remark for the statement. */

import { announce } from '../../cluster/changes.ts'
import { oncePerKey, type RepeatKey } from '../../cluster/idempotency.ts'
import type { Actor } from '../../contracts/actor.ts'
import { LogType } from '../../contracts/log.ts'
import type { AdminTopUp, ToppedUp } from '../../contracts/top-up.ts'
import { atomic } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { recordChange } from '../audit-log/index.ts'
import { recordAll } from '../logs/index.ts'
import type { User } from '../users/index.ts'
import { credit } from '../wallet/index.ts'
import { lockedUser } from './authority.ts'

/**
 * @param key of a request that may be repeated
 * @throws Refusal 400 for a balance below zero, 403, 404, `user.deregistered`
 */
export async function topUp(actor: Actor, body: AdminTopUp, key?: RepeatKey): Promise<ToppedUp> {
  const { user_id, quota, remark } = body
  return atomic(tx =>
    oncePerKey(tx, { user_id: actor.id, action: 'admin_topup', key, body }, function* (tx) {
      const user = yield* lockedUser(tx, actor, user_id, 'cannot_update')
      const balance = yield* addQuota(tx, actor, user, quota, remark)
      yield* announce(tx, 'user', [user_id])
      return { user_id, username: user.username, balance }
    }),
  )
}

/** Changes the balance of a locked user, with its entry in the audit log. @returns the new balance */
export function* addQuota(tx: Tx, actor: Actor, user: User, quota: number, remark: string) {
  const balance = yield* changeQuota(tx, actor, user, quota, remark)
  const target = { kind: 'user', id: user.id, name: user.username }
  const [before, after] = [
    { quota: user.quota, remark: '' },
    { quota: balance, remark },
  ]
  yield* recordChange(tx, actor, { action: 'user.top_up', target, before, after })
  return balance
}

/** @returns the new balance */
export function* changeQuota(tx: Tx, actor: Actor, user: User, delta: number, remark = '') {
  const { id: user_id, username, quota: before } = user
  if (!delta) return before
  const after = yield* credit(tx, { user_id, kind: 'admin', delta, actor_id: actor.id, remark })
  const other = JSON.stringify({ values: { before, after }, admin_info: { admin_id: actor.id, admin: actor.username } })
  yield* recordAll(tx, [{ user_id, username, type: LogType.manage, content: 'log.quota_changed', other }])
  return after
}
