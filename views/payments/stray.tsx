/** Stray payments: each waits until root credits it to a user, or dismisses it. */
import type { ReactNode } from 'react'
import { State } from '../../client/components/badge.tsx'
import { Empty } from '../../client/components/empty.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { At } from '../../client/components/moment.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import { yuan } from '../../src/billing/top-up.ts'
import type { Listing } from '../../src/contracts/paging.ts'
import type { StrayPayment } from '../../src/contracts/payment.ts'
import type { Translate } from '../../src/locales/index.ts'
import { OrdersHead } from './head.tsx'
import { type StrayView, strayAt } from './view.ts'

interface StrayProps {
  view: StrayView
  list: Listing<StrayPayment>
  waiting: number
  /** Drawer over the list. */
  overlay?: ReactNode
}

export function Stray({ view, list, waiting, overlay }: StrayProps) {
  const { t } = usePageContext()
  return (
    <>
      <OrdersHead current="stray" waiting={waiting} />
      <p className="help mt-0 mb-3 max-w-3xl">
        {t('payment.stray_help')}{' '}
        <PageLink className="text underline" href={strayAt(view.all ? {} : { all: '1' })}>
          {t(view.all ? 'payment.stray_only_waiting' : 'payment.stray_all')}
        </PageLink>
      </p>
      {list.total === 0 ? (
        <Empty text={t('payment.stray_none')} />
      ) : (
        <>
          <Table
            label={t('payment.stray')}
            columns={columnsOf(t, view)}
            rows={list.items}
            keyOf={payment => payment.id}
            nameOf={payment => payment.gateway_trade_no}
            actions={payment => payment.settled_time === 0 && <Actions payment={payment} view={view} />}
            tall
          />
          <Pager
            page={list.page}
            size={list.page_size}
            total={list.total}
            hrefOf={page => strayAt({ ...view, page })}
          />
        </>
      )}
      {overlay}
    </>
  )
}

const columnsOf = (t: Translate, view: StrayView): Column<StrayPayment>[] => [
  {
    id: 'number',
    head: t('payment.gateway_number'),
    phone: 'title',
    cell: ({ id, gateway_trade_no, trade_no, settled_time }) => (
      <span className="stacked mono wrap-anywhere">
        {settled_time === 0 ? (
          <PageLink href={strayAt(view, { credit: id })}>{gateway_trade_no}</PageLink>
        ) : (
          <span>{gateway_trade_no}</span>
        )}
        <small>{trade_no}</small>
      </span>
    ),
  },
  { id: 'reason', head: t('payment.reason'), phone: 'detail', cell: payment => t(`payment.${payment.reason}`) },
  { id: 'state', head: t('payment.state'), cell: payment => <StrayState payment={payment} /> },
  { id: 'order', head: t('payment.named_order'), optional: true, cell: payment => <NamedOrder payment={payment} /> },
  { id: 'time', head: t('payment.arrived'), phone: 'side', cell: payment => <At at={payment.created_time} /> },
  { id: 'money', head: t('payment.paid_sum'), phone: 'figure', number: true, cell: payment => yuan(payment.money) },
]

function StrayState({ payment: { settled_time, quota, remark } }: { payment: StrayPayment }) {
  const { t } = usePageContext()
  if (!settled_time) return <State tone="limited">{t('payment.stray_open')}</State>
  return (
    <span className="stacked">
      {quota ? (
        <State tone="open">
          {t('payment.stray_credited')} <Quota of={quota} />
        </State>
      ) : (
        <State tone="fact">{t('payment.stray_dismissed')}</State>
      )}
      <small className="wrap-anywhere">{remark}</small>
    </span>
  )
}

/** Who ordered, and the sum of the order. */
function NamedOrder({ payment: { order } }: { payment: StrayPayment }) {
  return order ? `${order.username} · ${yuan(order.money)}` : <span className="ink-3">—</span>
}

function Actions({ payment: { id, gateway_trade_no: name }, view }: { payment: StrayPayment; view: StrayView }) {
  const { t } = usePageContext()
  return (
    <>
      <PageLink
        className="btn btn-sm"
        href={strayAt(view, { credit: id })}
        aria-label={t('payment.credit_named', { name })}
      >
        {t('payment.credit')}
      </PageLink>
      <PageLink
        className="btn btn-ghost btn-sm"
        href={strayAt(view, { dismiss: id })}
        aria-label={t('payment.dismiss_named', { name })}
      >
        {t('payment.dismiss')}
      </PageLink>
    </>
  )
}
