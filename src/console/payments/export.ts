/** CSV export of the orders, streamed while they are read. */
import { methodName } from '../../../views/payments/state.tsx'
import { fromQuota } from '../../billing/quota.ts'
import type { UserOrder } from '../../contracts/payment.ts'
import type { Visit } from '../../contracts/visit.ts'
import { type OrderSearch, walkOrders } from '../../domain/payments/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { day, exact } from '../../pure/time.ts'
import { type CsvColumn, csvResponse } from '../../web/csv.ts'

export const exportOrders = (user_id: number, filter: OrderSearch, visit: Visit): Response =>
  csvResponse({
    user_id,
    name: `orders-${day(now(), visit.zone)}`,
    columns: columnsOf(visit),
    batches: walkOrders(filter),
  })

function columnsOf({ language, status, zone }: Visit): CsvColumn<UserOrder>[] {
  const t = translator(language)
  return [
    { head: t('payment.number'), cell: order => order.trade_no },
    { head: t('payment.gateway_number'), cell: order => order.gateway_trade_no },
    { head: t('user.user'), cell: order => order.username },
    { head: t('payment.state'), cell: order => t(`payment.status_${order.status}`) },
    { head: t('payment.method'), cell: order => methodName(order.method, t) },
    { head: t('payment.time'), cell: order => exact(order.created_time, zone) },
    { head: t('payment.paid_time'), cell: order => (order.paid_time ? exact(order.paid_time, zone) : '') },
    { head: t('payment.amount'), cell: order => fromQuota(order.quota, status) },
    { head: t('payment.sum_cny'), cell: order => order.money },
  ]
}
