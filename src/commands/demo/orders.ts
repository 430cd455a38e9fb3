/** Online top-ups of the demo: paid, expired and open orders, and payments that fit none. */
import { SYSTEM } from '../../contracts/actor.ts'
import type { PaymentMethod } from '../../contracts/payment.ts'
import { setOptions } from '../../domain/options/index.ts'
import { placeOrder } from '../../domain/payments/index.ts'
import type { User } from '../../domain/users/index.ts'
import { env } from '../../env.ts'
import { DEMO_MERCHANT, payOrder, startDemoGateway } from './gateway.ts'

const SITE = `http://localhost:${env.PORT}`

interface PlayedOrder {
  hours_ago: number
  customer: number
  amount: number
  method: PaymentMethod
  /** Fields of the payment that differ from the order; none where the order is not paid. */
  payment?: Record<string, string>
}

const played: PlayedOrder[] = [
  { hours_ago: 690, customer: 0, amount: 100, method: 'alipay', payment: {} },
  { hours_ago: 611, customer: 1, amount: 20, method: 'wxpay', payment: {} },
  { hours_ago: 434, customer: 2, amount: 50, method: 'alipay', payment: {} },
  { hours_ago: 363, customer: 1, amount: 10, method: 'wxpay' },
  { hours_ago: 362, customer: 1, amount: 10, method: 'alipay', payment: {} },
  { hours_ago: 195, customer: 0, amount: 50, method: 'wxpay', payment: {} },
  { hours_ago: 99, customer: 2, amount: 20, method: 'alipay', payment: { money: '14.60' } },
  { hours_ago: 98, customer: 2, amount: 20, method: 'alipay', payment: {} },
  { hours_ago: 50, customer: 1, amount: 20, method: 'wxpay', payment: {} },
  { hours_ago: 21, customer: 0, amount: 100, method: 'alipay', payment: {} },
  { hours_ago: 3, customer: 0, amount: 10, method: 'wxpay' },
]

export const openShop = () =>
  setOptions({ ...DEMO_MERCHANT, ServerAddress: SITE, PayAddress: startDemoGateway() }, SYSTEM)

/** Plays the orders of an hour of the month. */
export async function playOrders(customers: User[], hours_ago: number) {
  for (const order of played.filter(order => order.hours_ago === hours_ago)) {
    await play(order, customers[order.customer]!)
  }
}

async function play({ amount, method, payment }: PlayedOrder, user: User) {
  const { form } = await placeOrder({ user, amount, method })
  if (payment) await payOrder(form.fields, payment)
}
