/** Stray payments: signed, and fitting no open order. Root credits each to a user, or dismisses it. */
import { and, desc, eq } from 'drizzle-orm'
import { centsText, yuanText } from '../../billing/top-up.ts'
import { oncePerKey } from '../../cluster/idempotency.ts'
import type { Actor } from '../../contracts/actor.ts'
import type { Listing, Paging } from '../../contracts/paging.ts'
import type { StrayCredit, StrayPayment } from '../../contracts/payment.ts'
import { notFound, Refusal } from '../../contracts/refusal.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { count } from '../../db/fragments.ts'
import { now } from '../../process/clock.ts'
import { decimal, product, roundedQuotient } from '../../pure/decimal.ts'
import { recordChange } from '../audit-log/index.ts'
import { publicStatus } from '../options/index.ts'
import { userById, userByLogin } from '../users/index.ts'
import { users } from '../users/table.ts'
import { credit } from '../wallet/index.ts'
import { logTopUp } from './callback.ts'
import { type OrderRow, orders, type StrayPaymentRow, strayPayments } from './table.ts'

const isWaiting = eq(strayPayments.settled_time, 0)

export async function waitingPayments(): Promise<number> {
  const [waiting] = await db.select({ total: count() }).from(strayPayments).where(isWaiting)
  return waiting!.total
}

/** Newest first. @param waiting leaves out those that are settled */
export async function listStrayPayments(
  waiting: boolean,
  { page, size, offset }: Paging,
): Promise<Listing<StrayPayment>> {
  const condition = waiting ? isWaiting : undefined
  const rows = await select(condition).orderBy(desc(strayPayments.id)).limit(size).offset(offset)
  const [all] = await db.select({ total: count() }).from(strayPayments).where(condition)
  return { items: rows.map(viewOf), total: all!.total, page, page_size: size }
}

/** @throws Refusal 404 */
export async function strayPayment(id: number): Promise<StrayPayment> {
  const [row] = await select(eq(strayPayments.id, id))
  if (!row) throw notFound('payment.stray_not_found')
  return viewOf(row)
}

const select = (condition: ReturnType<typeof and>) =>
  db
    .select({ payment: strayPayments, order: orders, username: users.username })
    .from(strayPayments)
    .leftJoin(orders, eq(orders.trade_no, strayPayments.trade_no))
    .leftJoin(users, eq(users.id, orders.user_id))
    .where(condition)

interface JoinedPayment {
  payment: StrayPaymentRow
  order: OrderRow | null
  username: string | null
}

const viewOf = ({ payment: { money_cents, ...payment }, order, username }: JoinedPayment): StrayPayment => ({
  ...payment,
  money: centsText(money_cents),
  order: order && {
    username: username!,
    quota: order.quota,
    money: centsText(order.money_cents),
    status: order.status,
  },
  worth: worthOf(money_cents, order),
})

/** Quota by the price of the order, else by the price of today. */
function worthOf(money_cents: number, order: OrderRow | null): number {
  const { price, quota_per_unit } = publicStatus()
  const [quota, cents] = order
    ? [decimal(order.quota), decimal(order.money_cents)]
    : [decimal(quota_per_unit), product(decimal(price), decimal(100))]
  return Number(roundedQuotient(product(decimal(money_cents), quota), cents))
}

/** Credits a stray payment to a user, once per idempotency key. @throws Refusal 404, or when it is settled, or for an unknown user */
export async function creditStrayPayment(
  actor: Actor,
  id: number,
  { user, quota, remark }: StrayCredit,
  idempotency_key?: string,
): Promise<{ user_id: number; username: string; quota: number }> {
  const payee = await userNamed(user)
  const credited = { user_id: payee.id, username: payee.username, quota }
  const request = { user_id: actor.id, action: 'stray', key: idempotency_key, body: { id, user, quota, remark } }
  return atomic(tx =>
    oncePerKey(tx, request, function* () {
      const payment = yield* settle(tx, actor, id, { user_id: payee.id, quota, remark })
      const reference = `stray:${id}`
      yield* credit(tx, { user_id: payee.id, kind: 'topup', delta: quota, actor_id: actor.id, reference, remark })
      const params = { money: yuanText(payment.money_cents) }
      yield* logTopUp(tx, { user_id: payee.id, quota, content: 'log.stray_credited', params })
      const after = { user: payee.username, quota, money: centsText(payment.money_cents), remark }
      yield* recordChange(tx, actor, { action: 'payment.credit', target: targetOf(payment), after })
      return credited
    }),
  )
}

/** Leaves a stray payment without a credit. @throws Refusal 404, or when it is settled */
export async function dismissStrayPayment(actor: Actor, id: number, remark: string) {
  await atomic(function* (tx) {
    const payment = yield* settle(tx, actor, id, { remark })
    const after = { money: centsText(payment.money_cents), remark }
    yield* recordChange(tx, actor, { action: 'payment.dismiss', target: targetOf(payment), after })
  })
}

const targetOf = ({ id, gateway_trade_no }: StrayPaymentRow) => ({ kind: 'payment', id, name: gateway_trade_no })

type Decision = Pick<StrayPaymentRow, 'remark'> & Partial<Pick<StrayPaymentRow, 'user_id' | 'quota'>>

function* settle(tx: Tx, actor: Actor, id: number, decision: Decision) {
  const settled = { ...decision, settled_time: now(), settled_by: actor.id }
  const isOpen = and(eq(strayPayments.id, id), isWaiting)
  const [payment] = yield* run(tx.update(strayPayments).set(settled).where(isOpen).returning())
  if (payment) return payment
  const [known] = yield* run(tx.select().from(strayPayments).where(eq(strayPayments.id, id)))
  throw known ? new Refusal('payment.stray_settled') : notFound('payment.stray_not_found')
}

/** A user by username or e-mail address, else by id, as `12` or `#12`. @throws Refusal 400 */
async function userNamed(name: string) {
  const id = /^#?(\d{1,15})$/.exec(name)?.[1]
  const user = (await userByLogin(name)) ?? (id && (await userById.get(Number(id))))
  if (!user) throw new Refusal('payment.user_unknown', { user: name }, 400, 'user')
  return user
}
