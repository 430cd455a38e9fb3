/** Orders of online top-ups: made with their quota and sum, listed, expired. */
import { and, desc, eq, gte, lt, lte, or, type SQL } from 'drizzle-orm'
import { centsText, type TopUp } from '../../billing/top-up.ts'
import { oncePerKey, type RepeatKey } from '../../cluster/idempotency.ts'
import type { SessionUser } from '../../contracts/account.ts'
import type { Listing, Paging } from '../../contracts/paging.ts'
import {
  ORDER_TTL_SECONDS,
  type Order,
  type OrderFilter,
  type OrderSums,
  type PaymentMethod,
  type UserOrder,
} from '../../contracts/payment.ts'
import { notFound, Refusal } from '../../contracts/refusal.ts'
import { randomKey } from '../../crypto/random-id.ts'
import { atomic, lock, run } from '../../db/atomic.ts'
import { batchesOf } from '../../db/batches.ts'
import { db, type Tx } from '../../db/database.ts'
import { count, total } from '../../db/fragments.ts'
import { now } from '../../process/clock.ts'
import { option } from '../options/index.ts'
import { users } from '../users/table.ts'
import { type PayForm, payFormOf } from './epay.ts'
import { type OrderRow, orders } from './table.ts'
import { isTopUpEnabled, quoteTopUp } from './terms.ts'

const OPEN_ORDERS_MAX = 10
/** Letters and digits; 22 of them have 130 random bits. */
const TRADE_NO_RANDOM = 22

interface OrderDraft {
  user: Pick<SessionUser, 'id' | 'group'>
  amount: number
  method: PaymentMethod
  /** The sum that the user has agreed to, in cents. */
  agreed_cents?: number
}

interface PlacedOrder {
  id: number
  form: PayForm
}

/**
 * Makes an order, once per idempotency key.
 * @throws Refusal for the amount; 409 when the price is no longer the agreed one; without a gateway; above 10 open orders
 */
export function placeOrder(draft: OrderDraft, key?: RepeatKey): Promise<PlacedOrder> {
  const { user, amount, method } = draft
  const request = { user_id: user.id, action: 'pay', key, body: { amount, method } }
  return atomic(tx =>
    oncePerKey(tx, request, function* () {
      const order = yield* insertOrder(tx, draft, agreedTopUp(draft))
      return { id: order.id, form: payFormOf(order) }
    }),
  )
}

function agreedTopUp({ user, amount, agreed_cents }: OrderDraft): TopUp {
  const topUp = quoteTopUp(amount, user.group)
  if (!isTopUpEnabled()) throw new Refusal('payment.not_enabled')
  if (agreed_cents === undefined || agreed_cents === topUp.money_cents) return topUp
  throw new Refusal('payment.price_changed', {}, 409, 'amount')
}

function* insertOrder(tx: Tx, { user, amount, method }: OrderDraft, { quota, money_cents }: TopUp) {
  // Orders of one user are made one after another, so that each sees the others.
  yield* lock(tx, users, eq(users.id, user.id))
  const open = and(eq(orders.user_id, user.id), eq(orders.status, 'pending'), gte(orders.created_time, expiry()))
  const [counted] = yield* run(tx.select({ open: count() }).from(orders).where(open))
  if (counted!.open >= OPEN_ORDERS_MAX) throw new Refusal('payment.too_many_open', { count: OPEN_ORDERS_MAX })
  const row = { user_id: user.id, amount, method, quota, money_cents, pid: option('EpayId'), created_time: now() }
  const trade_no = `USR${user.id}NO${randomKey(TRADE_NO_RANDOM)}`
  const [order] = yield* run(
    tx
      .insert(orders)
      .values({ ...row, trade_no })
      .returning(),
  )
  return order!
}

/** The form that pays an open order of a user. @throws Refusal 404, or when the order is not open for this gateway */
export async function payForm(user_id: number, id: number): Promise<PayForm> {
  const row = await rowOf(user_id, id)
  if (!isTopUpEnabled() || row.pid !== option('EpayId')) throw new Refusal('payment.not_enabled')
  if (row.status !== 'pending') throw new Refusal('payment.not_open')
  return payFormOf(row)
}

/** An order of a user. @throws Refusal 404 */
export const orderOf = async (user_id: number, id: number): Promise<Order> => viewOf(await rowOf(user_id, id))

async function rowOf(user_id: number, id: number): Promise<OrderRow> {
  const [row] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.user_id, user_id)))
  if (!row) throw notFound('payment.order_not_found')
  return row
}

const viewOf = ({ user_id, pid, money_cents, ...order }: OrderRow): Order => ({
  ...order,
  money: centsText(money_cents),
})

/** Orders of one user, newest first. */
export async function ordersOf(user_id: number, { page, size, offset }: Paging): Promise<Listing<Order>> {
  const condition = eq(orders.user_id, user_id)
  const rows = await db.select().from(orders).where(condition).orderBy(desc(orders.id)).limit(size).offset(offset)
  const [all] = await db.select({ total: count() }).from(orders).where(condition)
  return { items: rows.map(viewOf), total: all!.total, page, page_size: size }
}

/** Orders of all users, newest first. */
export async function listOrders(filter: OrderSearch, { page, size, offset }: Paging): Promise<Listing<UserOrder>> {
  const condition = conditionOf(filter)
  const rows = await select(condition).limit(size).offset(offset)
  const [all] = await db
    .select({ total: count() })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.user_id))
    .where(condition)
  return { items: rows.map(userOrderOf), total: all!.total, page, page_size: size }
}

/** Every match, newest first, in batches. */
export const walkOrders = (filter: OrderSearch): AsyncGenerator<UserOrder[]> =>
  batchesOf(async (last, size) => {
    const rows = await select(and(conditionOf(filter), last && lt(orders.id, last.id))).limit(size)
    return rows.map(userOrderOf)
  })

const select = (condition: SQL | undefined) =>
  db
    .select({ order: orders, username: users.username })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.user_id))
    .where(condition)
    .orderBy(desc(orders.id))

const userOrderOf = ({ order, username }: { order: OrderRow; username: string }): UserOrder => ({
  ...viewOf(order),
  user_id: order.user_id,
  username,
})

/** Number, sum and quota of orders. */
export async function sumOrders(filter: Omit<OrderSearch, 'username' | 'trade_no'>): Promise<OrderSums> {
  const [sums] = await db
    .select({ count: count(), money_cents: total(orders.money_cents), quota: total(orders.quota) })
    .from(orders)
    .where(conditionOf({ ...filter, username: undefined, trade_no: undefined }))
  const { money_cents, ...others } = sums!
  return { ...others, money: centsText(money_cents) }
}

export interface OrderSearch extends OrderFilter {
  /** The time that the range is of; by default that of the order. */
  time?: 'created_time' | 'paid_time'
}

function conditionOf({ status, method, username, trade_no, time = 'created_time', ...range }: OrderSearch) {
  const { start_timestamp, end_timestamp } = range
  return and(
    status && eq(orders.status, status),
    method && eq(orders.method, method),
    username ? eq(users.username, username) : undefined,
    trade_no ? or(eq(orders.trade_no, trade_no), eq(orders.gateway_trade_no, trade_no)) : undefined,
    start_timestamp === undefined ? undefined : gte(orders[time], start_timestamp),
    end_timestamp === undefined ? undefined : lte(orders[time], end_timestamp),
  )
}

/** Orders from before this time have expired. */
const expiry = () => now() - ORDER_TTL_SECONDS

/** Expires orders that are not paid for 24 h. */
export async function expireOrders() {
  await db
    .update(orders)
    .set({ status: 'expired' })
    .where(and(eq(orders.status, 'pending'), lt(orders.created_time, expiry())))
}
