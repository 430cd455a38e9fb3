/** Orders of online top-ups, and payments that wait for a decision. */
import type { OrderStatus, PaymentMethod, StrayReason } from '../../contracts/payment.ts'
import { column as c } from '../../db/columns.ts'
import { users } from '../users/table.ts'

/** An order. Quota and sum are fixed when it is made: prices that change later do not concern it. */
export const orders = c.table(
  'orders',
  {
    id: c.id(),
    user_id: c
      .whole()
      .notNull()
      .references(() => users.id),
    /** Our number for it, which the gateway calls `out_trade_no`. */
    trade_no: c.text().notNull(),
    /** The gateway's number; empty before payment. */
    gateway_trade_no: c.text().notNull().default(''),
    method: c.text().$type<PaymentMethod>().notNull(),
    /** Merchant at the gateway. */
    pid: c.text().notNull(),
    /** As ordered: currency units, or quota where quota is displayed in units. */
    amount: c.whole().notNull(),
    /** Hundredths of the currency of the gateway. */
    money_cents: c.whole().notNull(),
    quota: c.whole().notNull(),
    status: c.text().$type<OrderStatus>().notNull().default('pending'),
    created_time: c.whole().notNull(),
    /** 0 before payment. */
    paid_time: c.whole().notNull().default(0),
  },
  order => [
    c.unique('orders_trade_no').on(order.trade_no),
    c.index('orders_user').on(order.user_id, order.id),
    c.index('orders_status').on(order.status, order.created_time),
    c.index('orders_paid').on(order.status, order.paid_time),
  ],
)

export type OrderRow = typeof orders.$inferSelect

/** A signed payment that fits no open order. Root decides what becomes of it. */
export const strayPayments = c.table(
  'stray_payments',
  {
    id: c.id(),
    /** `out_trade_no` and `trade_no` of the notice. */
    trade_no: c.text().notNull(),
    gateway_trade_no: c.text().notNull(),
    pid: c.text().notNull(),
    method: c.text().notNull(),
    money_cents: c.whole().notNull(),
    reason: c.text().$type<StrayReason>().notNull(),
    created_time: c.whole().notNull(),
    /** 0 while it waits. */
    settled_time: c.whole().notNull().default(0),
    settled_by: c.whole().notNull().default(0),
    /** The user who was credited; 0 for none. */
    user_id: c.whole().notNull().default(0),
    /** Credited; 0 for a dismissed payment. */
    quota: c.whole().notNull().default(0),
    remark: c.text().notNull().default(''),
  },
  payment => [c.unique('stray_payments_number').on(payment.gateway_trade_no, payment.trade_no)],
)

export type StrayPaymentRow = typeof strayPayments.$inferSelect
