/** Transfers: earnings from invitations become balance. */
import { and, eq, gte, sql } from 'drizzle-orm'
import { balanceText } from '../../billing/quota.ts'
import { oncePerKey, type RepeatKey } from '../../cluster/idempotency.ts'
import { LogType } from '../../contracts/log.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { atomic, run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { recordAll } from '../logs/index.ts'
import { currency, option } from '../options/index.ts'
import { type User, users } from '../users/table.ts'
import { credit } from '../wallet/index.ts'
import { transfers } from './table.ts'

type Earner = Pick<User, 'id' | 'username'>

/** One unit of currency, in quota. */
export const transferMinimum = () => Math.ceil(option('QuotaPerUnit'))

/**
 * Moves earnings to the balance, once per key.
 * @throws Refusal `reward.transfer_minimum` or `reward.transfer_too_large`, at the field `quota`
 */
export const transferEarnings = (user: Earner, quota: number, key?: RepeatKey): Promise<null> =>
  atomic(tx =>
    oncePerKey(tx, { user_id: user.id, action: 'aff_transfer', key, body: { quota } }, tx => move(tx, user, quota)),
  )

function* move(tx: Tx, { id: user_id, username }: Earner, quota: number) {
  const minimum = transferMinimum()
  if (quota < minimum)
    throw new Refusal('reward.transfer_minimum', { amount: balanceText(minimum, currency()) }, 200, 'quota')
  const [earner] = yield* run(
    tx
      .update(users)
      .set({ aff_quota: sql`${users.aff_quota} - ${quota}` })
      .where(and(eq(users.id, user_id), gte(users.aff_quota, quota)))
      .returning({ id: users.id }),
  )
  if (!earner) throw new Refusal('reward.transfer_too_large', {}, 200, 'quota')
  const [transfer] = yield* run(tx.insert(transfers).values({ user_id, quota, created_time: now() }).returning())
  yield* credit(tx, { user_id, kind: 'transfer', delta: quota, reference: String(transfer!.id) })
  yield* recordAll(tx, [{ user_id, username, type: LogType.system, quota, ...noteOf(quota) }])
  return null
}

const noteOf = (moved: number) => ({ content: 'log.transferred', other: JSON.stringify({ values: { moved } }) })
