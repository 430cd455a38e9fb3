/** Orders of all users, newest first. */
import { Empty, NoMatch } from '../../client/components/empty.tsx'
import { ExportLink } from '../../client/components/export-link.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { At } from '../../client/components/moment.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import { yuan } from '../../src/billing/top-up.ts'
import type { Listing } from '../../src/contracts/paging.ts'
import type { UserOrder } from '../../src/contracts/payment.ts'
import type { Translate } from '../../src/locales/index.ts'
import { UserName } from '../layout/things.tsx'
import { OrderFilters } from './filters.tsx'
import { OrdersHead } from './head.tsx'
import { methodName, OrderState } from './state.tsx'
import { type OrderTotals, Totals } from './totals.tsx'
import { exportAt, filterCount, type OrdersView, ordersAt } from './view.ts'

interface OrdersProps {
  view: OrdersView
  list: Listing<UserOrder>
  totals: OrderTotals
  waiting?: number
  /** Id of the open order. */
  open?: number
}

export function Orders({ view, list, totals, waiting, open }: OrdersProps) {
  const { t } = usePageContext()
  const isOpen = ({ id }: UserOrder) => id === open
  const hrefOf = (order: UserOrder) => ordersAt(view, isOpen(order) ? undefined : order.id)
  return (
    <>
      <OrdersHead current="orders" waiting={waiting}>
        <ExportLink href={exportAt(view)} />
      </OrdersHead>
      <Totals view={view} of={totals} />
      <OrderFilters view={view} />
      {list.total === 0 && <NoOrders view={view} />}
      {list.total > 0 && (
        <>
          <Table
            label={t('payment.orders')}
            columns={columnsOf(t, hrefOf, view.status === 'paid')}
            rows={list.items}
            keyOf={order => order.id}
            nameOf={order => order.trade_no}
            fold={{ isOpen, hrefOf, inside: order => <OrderFacts order={order} /> }}
          />
          <Pager
            page={list.page}
            size={list.page_size}
            total={list.total}
            hrefOf={page => ordersAt({ ...view, page })}
          />
        </>
      )}
    </>
  )
}

function NoOrders({ view }: { view: OrdersView }) {
  const { t } = usePageContext()
  if (!filterCount(view)) return <Empty text={t('payment.none')} />
  return (
    <NoMatch text={t('payment.none_match')} all={ordersAt()}>
      {t('payment.show_all')}
    </NoMatch>
  )
}

const columnsOf = (t: Translate, hrefOf: (order: UserOrder) => string, isPaid: boolean): Column<UserOrder>[] => [
  {
    id: 'user',
    head: t('user.user'),
    phone: 'title',
    // The card of a phone is a link as a whole: to the order, which has its user.
    cell: order => (
      <>
        <UserName id={order.user_id} name={order.username} className="wide-only" />
        <PageLink className="sm:hidden" href={hrefOf(order)}>
          {order.username}
        </PageLink>
      </>
    ),
  },
  { id: 'state', head: t('payment.state'), phone: 'detail', cell: order => <OrderState status={order.status} /> },
  {
    id: 'number',
    head: t('payment.number'),
    optional: true,
    className: 'ink-2 opens',
    cell: order => (
      <PageLink className="mono hover:underline" href={hrefOf(order)}>
        {order.trade_no}
      </PageLink>
    ),
  },
  { id: 'method', head: t('payment.method'), cell: order => methodName(order.method, t) },
  {
    id: 'time',
    head: t(isPaid ? 'payment.paid_time' : 'payment.time'),
    phone: 'side',
    cell: order => <At at={isPaid ? order.paid_time : order.created_time} show="near" />,
  },
  { id: 'quota', head: t('payment.amount'), number: true, cell: order => <Quota of={order.quota} /> },
  { id: 'money', head: t('payment.paid_sum'), phone: 'figure', number: true, cell: order => yuan(order.money) },
]

function OrderFacts({ order }: { order: UserOrder }) {
  const { t } = usePageContext()
  const { user_id, username, trade_no, gateway_trade_no, method, quota, created_time, paid_time } = order
  return (
    <div className="audit-detail">
      <dl className="facts">
        <dt>{t('user.user')}</dt>
        <dd>
          <UserName id={user_id} name={username} />
        </dd>
        <dt>{t('payment.number')}</dt>
        <dd className="mono wrap-anywhere">{trade_no}</dd>
        <dt>{t('payment.gateway_number')}</dt>
        <dd className="mono wrap-anywhere">{gateway_trade_no || '—'}</dd>
        <dt>{t('payment.method')}</dt>
        <dd>{methodName(method, t)}</dd>
        <dt>{t('payment.amount')}</dt>
        <dd>
          <Quota of={quota} />
        </dd>
        <dt>{t('payment.time')}</dt>
        <dd>
          <At at={created_time} />
        </dd>
        <dt>{t('payment.paid_time')}</dt>
        <dd>{paid_time ? <At at={paid_time} /> : '—'}</dd>
      </dl>
    </div>
  )
}
