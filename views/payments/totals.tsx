/** The till: orders paid today and this month, and those that wait, each with its sums; a choice filters the list. */
import { Chip, Chips } from '../../client/components/badge.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { yuan } from '../../src/billing/top-up.ts'
import type { OrderSums } from '../../src/contracts/payment.ts'
import { filterCount, type OrdersView, ordersAt } from './view.ts'

/** Filter of each total. */
export const ORDER_TOTALS = {
  today: { status: 'paid', range: 'today' },
  month: { status: 'paid', range: 'month' },
  waiting: { status: 'pending' },
} as const satisfies Record<string, Partial<OrdersView>>

export type OrderTotals = Record<keyof typeof ORDER_TOTALS, OrderSums>

export function Totals({ view, of }: { view: OrdersView; of: OrderTotals }) {
  const { t } = usePageContext()
  return (
    <Chips>
      {(Object.keys(ORDER_TOTALS) as (keyof OrderTotals)[]).map(name => {
        const filter: Partial<OrdersView> = ORDER_TOTALS[name]
        const isChosen =
          view.status === filter.status &&
          view.range === filter.range &&
          filterCount(view) === Object.keys(filter).length
        const { count, money, quota } = of[name]
        const label = (
          <PageLink href={ordersAt(isChosen ? {} : filter)} aria-current={isChosen || undefined}>
            {t(`payment.total_${name}`)}
          </PageLink>
        )
        const small = (
          <>
            {t('payment.total_orders', { count })} · <Quota of={quota} />
          </>
        )
        return <Chip key={name} label={label} value={yuan(money)} small={small} />
      })}
    </Chips>
  )
}
