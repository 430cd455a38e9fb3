/** Head of the order pages: tabs for root, who settles stray payments. */
import type { ReactNode } from 'react'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { ordersAt, strayAt } from './view.ts'

export interface OrdersHeadProps {
  current: 'orders' | 'stray'
  /** Stray payments without a decision; undefined for readers who may not see them. */
  waiting?: number
  /** Actions of the page. */
  children?: ReactNode
}

export function OrdersHead({ current, waiting, children }: OrdersHeadProps) {
  const { t } = usePageContext()
  const tabs = [
    { id: 'orders', href: ordersAt(), label: t('payment.orders') },
    {
      id: 'stray',
      href: strayAt(),
      label: waiting ? t('payment.stray_waiting', { count: waiting }) : t('payment.stray'),
    },
  ]
  return (
    <>
      <PageHead title={t('payment.orders')}>{children}</PageHead>
      {waiting !== undefined && (
        <nav className="page-tabs" aria-label={t('payment.orders')}>
          {tabs.map(({ id, href, label }) => (
            <a key={id} href={href} aria-current={id === current ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
      )}
    </>
  )
}
