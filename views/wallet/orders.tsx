/** The visitor's own orders, newest first. */
import { PageLink } from '../../client/components/link.tsx'
import { At } from '../../client/components/moment.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import { yuan } from '../../src/billing/top-up.ts'
import type { Listing } from '../../src/contracts/paging.ts'
import type { Order } from '../../src/contracts/payment.ts'
import type { Translate } from '../../src/locales/index.ts'
import { methodName, OrderState } from '../payments/state.tsx'
import { walletAt } from './view.ts'

export function OwnOrders({ list: { items, page, page_size, total } }: { list: Listing<Order> }) {
  const { t } = usePageContext()
  return (
    <section className="mt-10" aria-labelledby="orders-title">
      <h2 id="orders-title" className="text-lg mt-0 mb-2">
        {t('payment.own_orders')}
      </h2>
      <Table
        label={t('payment.own_orders')}
        columns={columnsOf(t, page)}
        rows={items}
        keyOf={order => order.id}
        nameOf={order => order.trade_no}
      />
      <Pager page={page} size={page_size} total={total} hrefOf={page => walletAt({ page })} />
    </section>
  )
}

const columnsOf = (t: Translate, page: number): Column<Order>[] => [
  {
    id: 'quota',
    head: t('payment.amount'),
    phone: 'title',
    cell: order => (
      <PageLink href={walletAt({ page }, { order: order.id })}>
        <Quota of={order.quota} />
      </PageLink>
    ),
  },
  { id: 'state', head: t('payment.state'), phone: 'detail', cell: order => <OrderState status={order.status} /> },
  { id: 'method', head: t('payment.method'), cell: order => methodName(order.method, t) },
  { id: 'time', head: t('payment.time'), phone: 'side', cell: order => <At at={order.created_time} /> },
  {
    id: 'number',
    head: t('payment.number'),
    optional: true,
    className: 'ink-3',
    cell: order => (
      <PageLink className="mono hover:underline" href={walletAt({ page }, { order: order.id })}>
        {order.trade_no}
      </PageLink>
    ),
  },
  { id: 'money', head: t('payment.paid_sum'), phone: 'figure', number: true, cell: order => yuan(order.money) },
]
