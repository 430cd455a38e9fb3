/** Rebates: the inviter's share of what an invited user pays online. */
import { eq, inArray } from 'drizzle-orm'
import { LogType } from '../../contracts/log.ts'
import { lock, run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { decimal } from '../../pure/decimal.ts'
import { recordAll } from '../logs/index.ts'
import { option } from '../options/index.ts'
import { isEnabled } from '../users/index.ts'
import { type User, users } from '../users/table.ts'
import { credit } from '../wallet/index.ts'
import { maskedName } from './masked-name.ts'
import { rebates } from './table.ts'

interface PaidOrder {
  id: number
  /** Who pays. */
  user_id: number
  /** Quota that the order credits. */
  quota: number
}

/**
 * Credits the inviter of the payer, once per order, in the transaction that credits the order and before that credit:
 * the rows of both users are locked in the order of their ids, as settling locks them.
 */
export function* rebate(tx: Tx, order: PaidOrder) {
  const percentage = option('RebatePercentage')
  const quota = shareOf(order.quota, percentage)
  if (!option('RebateEnabled') || !option('AffEnabled') || !quota) return
  const [payer] = yield* run(tx.select({ inviter_id: users.inviter_id }).from(users).where(eq(users.id, order.user_id)))
  if (!payer?.inviter_id || payer.inviter_id === order.user_id) return
  const both = yield* lock(tx, users, inArray(users.id, [order.user_id, payer.inviter_id]))
  const inviter = both.find(user => user.id === payer.inviter_id)
  if (!inviter || !isEnabled(inviter) || inviter.deleted_time !== null) return
  yield* book(tx, { order, percentage, quota, inviter, payer: both.find(user => user.id === order.user_id)! })
}

/** Whole quota: floor(paid × percentage / 100), exact. */
function shareOf(paid: number, percentage: number): number {
  const { digits, scale } = decimal(percentage)
  return Number((BigInt(paid) * BigInt(digits)) / (100n * 10n ** BigInt(scale)))
}

interface Rebate {
  order: PaidOrder
  percentage: number
  quota: number
  inviter: User
  payer: User
}

function* book(tx: Tx, { order, percentage, quota, inviter, payer }: Rebate) {
  const row = { order_id: order.id, user_id: inviter.id, payer_id: payer.id, quota, created_time: now() }
  const [first] = yield* run(
    tx.insert(rebates).values(row).onConflictDoNothing().returning({ order_id: rebates.order_id }),
  )
  if (!first) return
  yield* credit(tx, { user_id: inviter.id, kind: 'rebate', delta: quota, reference: String(order.id) })
  const earned = { values: { paid: order.quota }, params: { percentage, payer: maskedName(payer.username) } }
  const generated = { values: { rebate: quota }, params: { percentage } }
  yield* recordAll(tx, [
    { ...ownedBy(inviter), quota, content: 'log.rebate_earned', other: JSON.stringify(earned) },
    { ...ownedBy(payer), content: 'log.rebate_generated', other: JSON.stringify(generated) },
  ])
}

const ownedBy = ({ id: user_id, username }: User) => ({ user_id, username, type: LogType.system })
