/** Online payment, in the API and in forms. */
import { z } from 'zod'
import { bodyOf } from './body.ts'
import { optional } from './paging.ts'

export const WALLET_PATH = '/app/wallet'
export const ORDERS_PATH = '/admin/orders'
export const STRAY_PATH = `${ORDERS_PATH}/stray`
/** Where the gateway reports payments. */
export const NOTIFY_PATH = '/api/user/epay/notify'
/** An order without a payment expires. */
export const ORDER_TTL_SECONDS = 24 * 3600

/** By the names of Epay. */
export const PAYMENT_METHODS = ['alipay', 'wxpay'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** An expired order is credited when its payment comes after all. */
export const ORDER_STATUSES = ['pending', 'paid', 'expired'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

export type StrayReason = 'no_order' | 'wrong_money' | 'wrong_merchant' | 'wrong_method' | 'second_payment'

/** Currency units, or quota where quota is displayed in units. */
const amount = z.int('payment.amount_invalid').min(1, 'payment.amount_invalid')

/** The names of methods in the API. */
const methodOf = { zfb: 'alipay', alipay: 'alipay', wx: 'wxpay', wxpay: 'wxpay' } as const satisfies Record<
  string,
  PaymentMethod
>
const methodNames = Object.keys(methodOf) as (keyof typeof methodOf)[]

const quotation = z.object({
  amount,
  /** Ignored: a field of older clients. */
  top_up_code: z.string().optional(),
})

export const TopUpQuotation = bodyOf(quotation)

export const NewOrder = bodyOf(
  quotation.extend({
    payment_method: z.enum(methodNames, 'payment.method_unknown').transform(name => methodOf[name]),
  }),
)

/** An order in the API. */
export const Order = z
  .object({
    id: z.int(),
    trade_no: z.string(),
    /** Empty before payment. */
    gateway_trade_no: z.string(),
    method: z.enum(PAYMENT_METHODS),
    amount: z.int(),
    money: z.string().describe('Such as `73.00`.'),
    quota: z.int(),
    status: z.enum(ORDER_STATUSES),
    created_time: z.int(),
    /** 0 before payment. */
    paid_time: z.int(),
  })
  .meta({ id: 'Order' })
export type Order = z.output<typeof Order>

/** An order as administrators see it. */
export const UserOrder = z.object({ ...Order.shape, user_id: z.int(), username: z.string() })
export type UserOrder = z.output<typeof UserOrder>

export interface OrderSums {
  count: number
  /** Such as `73.00`. */
  money: string
  quota: number
}

const moment = z.coerce.number().int().min(0).optional().catch(undefined)

/** An invalid filter counts as absent. Times are unix seconds, inclusive. */
export const OrderFilter = z.object({
  status: z.enum(ORDER_STATUSES).optional().catch(undefined),
  method: z.enum(PAYMENT_METHODS).optional().catch(undefined),
  /** Exactly. */
  username: optional,
  /** Our number or the gateway's, exactly. */
  trade_no: optional,
  start_timestamp: moment,
  end_timestamp: moment,
})
export type OrderFilter = z.output<typeof OrderFilter>

export const OrderQuery = OrderFilter.extend({ p: optional, page_size: optional })

/** A stray payment in the API. */
export interface StrayPayment {
  id: number
  trade_no: string
  gateway_trade_no: string
  pid: string
  method: string
  /** Such as `73.00`. */
  money: string
  reason: StrayReason
  created_time: number
  /** 0 while it waits. */
  settled_time: number
  settled_by: number
  /** The user who was credited, 0 for none. */
  user_id: number
  quota: number
  remark: string
  /** The order that the payment names. */
  order: { username: string; quota: number; money: string; status: OrderStatus } | null
  /** What the sum would have bought. */
  worth: number
}

/** `waiting`: only payments without a decision. */
export const StrayQuery = z.object({ waiting: optional, p: optional, page_size: optional })

export const REMARK_MAX = 200

const remark = z
  .string('payment.remark_required')
  .trim()
  .min(1, 'payment.remark_required')
  .refine(text => [...text].length <= REMARK_MAX, 'payment.remark_too_long')

export const StrayCredit = bodyOf(
  z.object({
    /** Username, e-mail address or id. */
    user: z.string('payment.user_required').trim().min(1, 'payment.user_required'),
    quota: z.int('payment.quota_invalid').min(1, 'payment.quota_invalid'),
    remark,
  }),
)
export type StrayCredit = z.output<typeof StrayCredit>

export const StrayDismissal = bodyOf(z.object({ remark }))
