/** The wallet: balance, online top-up, redemption codes, own orders. */
import BookText from 'lucide/dist/esm/icons/book-text.mjs'
import type { ReactNode } from 'react'
import { Chip, Chips } from '../../client/components/badge.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { PagePart } from '../../client/components/page-part.tsx'
import { balanceText } from '../../src/billing/quota.ts'
import type { Budget } from '../../src/contracts/budget.ts'
import type { Listing } from '../../src/contracts/paging.ts'
import type { Order } from '../../src/contracts/payment.ts'
import { STATEMENT_PATH } from '../../src/contracts/statement.ts'
import { BudgetList } from '../budgets/list.tsx'
import { OwnOrders } from './orders.tsx'

export interface WalletFigures {
  /** Quota. */
  quota: number
  used_quota: number
}

interface WalletProps {
  figures: WalletFigures
  /** An order or a receipt, above the forms. */
  notice?: ReactNode
  topUp: ReactNode
  redeem: ReactNode
  orders: Listing<Order>
  /** Of the user; administrators set them. */
  budgets: Budget[]
  overlay?: ReactNode
}

export function Wallet({ figures, notice, topUp, redeem, orders, budgets, overlay }: WalletProps) {
  const { t } = usePageContext()
  return (
    <>
      <PageHead title={t('payment.title')}>
        <PageLink className="btn" href={STATEMENT_PATH}>
          <Icon of={BookText} />
          {t('shell.statement')}
        </PageLink>
      </PageHead>
      <Figures {...figures} />
      {notice}
      {budgets.length > 0 && (
        <div className="max-w-md mb-9">
          <PagePart title={t('budget.budgets')}>
            <BudgetList budgets={budgets} />
          </PagePart>
        </div>
      )}
      <div className="grid gap-x-12 gap-y-9 max-w-5xl lg:grid-cols-2 lg:items-start">
        {topUp}
        {redeem}
      </div>
      {orders.total > 0 && <OwnOrders list={orders} />}
      {overlay}
    </>
  )
}

/** @param apart sent beside another part of the page, which has changed the balance */
export function Figures({ quota, used_quota, apart }: WalletFigures & { apart?: true }) {
  const { t, currency } = usePageContext()
  return (
    <div id="wallet-figures" hx-swap-oob={apart && 'true'}>
      <Chips>
        <Chip label={t('payment.balance')} value={balanceText(quota, currency)} />
        <Chip label={t('payment.spent')} value={balanceText(used_quota, currency)} />
      </Chips>
    </div>
  )
}
