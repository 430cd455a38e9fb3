/** An order above the wallet: it waits for the notice of its payment, and shows the receipt after it. */
import Hourglass from 'lucide/dist/esm/icons/hourglass.mjs'
import Info from 'lucide/dist/esm/icons/info.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { Receipt, type Slip } from '../../client/components/receipt.tsx'
import { balanceText, type Currency } from '../../src/billing/quota.ts'
import { yuan } from '../../src/billing/top-up.ts'
import type { LedgerEntry } from '../../src/contracts/ledger.ts'
import type { Order } from '../../src/contracts/payment.ts'
import type { Translate } from '../../src/locales/index.ts'
import { methodName } from '../payments/state.tsx'
import { orderStateAt, payPageAt } from './view.ts'

const RELOAD_SECONDS = 5
/** Credits are round sums, unlike bills. */
const CREDIT_DECIMALS = 2

/** Replaces itself while the order waits. */
export function OrderPanel({ order, canPay }: { order: Order; canPay: boolean }) {
  if (order.status === 'paid') return <PaidOrder order={order} />
  if (order.status === 'pending') return <WaitingOrder order={order} canPay={canPay} />
  return <ExpiredOrder order={order} />
}

function WaitingOrder({ order, canPay }: { order: Order; canPay: boolean }) {
  const { t, currency } = usePageContext()
  const { id, quota, money, method, trade_no } = order
  const facts = { quota: balanceText(quota, currency), money: yuan(money), method: methodName(method, t) }
  return (
    <section
      id="order-panel"
      className="note warning mb-8"
      role="status"
      hx-get={orderStateAt(id)}
      hx-trigger="every 3s, visibilitychange from:document"
      hx-swap="outerMorph"
    >
      <noscript>
        <meta httpEquiv="refresh" content={String(RELOAD_SECONDS)} />
      </noscript>
      <Icon of={Hourglass} />
      <span className="flex-1 min-w-0">
        <b className="block">{t('payment.waiting')}</b>
        <span className="block">{t('payment.waiting_facts', facts)}</span>
        <span className="block mono wrap-anywhere">{trade_no}</span>
      </span>
      {canPay && (
        <a className="btn btn-sm" href={payPageAt(id)}>
          {t('payment.pay_now')}
        </a>
      )}
    </section>
  )
}

function PaidOrder({ order }: { order: Order }) {
  const { t, currency } = usePageContext()
  return (
    <section id="order-panel" className="mb-8" role="status">
      <p className="mt-0 mb-3 font-semibold">{t('payment.added', { quota: balanceText(order.quota, currency) })}</p>
      <Receipt {...orderSlip(order, currency, t)} />
    </section>
  )
}

function ExpiredOrder({ order: { trade_no, money } }: { order: Order }) {
  const { t } = usePageContext()
  return (
    <section id="order-panel" className="note mb-8" role="status">
      <Icon of={Info} />
      <span className="flex-1 min-w-0">
        <span className="block">{t('payment.expired', { money: yuan(money) })}</span>
        <span className="block mono wrap-anywhere">{trade_no}</span>
      </span>
    </section>
  )
}

function orderSlip(order: Order, currency: Currency, t: Translate): Slip {
  const { amount, quota, method, money, trade_no, gateway_trade_no, paid_time } = order
  return {
    title: t('payment.top_up'),
    who: methodName(method, t),
    lines: [lineOf(t('payment.line'), amount, quota, currency)],
    quota,
    at: paid_time,
    per: t('log.per_each'),
    decimals: CREDIT_DECIMALS,
    facts: [
      { label: t('payment.paid_sum'), value: yuan(money) },
      { label: t('payment.number'), value: trade_no },
      { label: t('payment.gateway_number'), value: gateway_trade_no },
    ],
  }
}

/** In USD per counted unit, where quota is displayed as money. */
function lineOf(bucket: string, count: number, quota: number, { display_in_currency, quota_per_unit }: Currency) {
  const unit_price = display_in_currency ? quota / quota_per_unit / count : undefined
  return { bucket, count, unit_price, amount: String(quota) }
}

/** Receipt of a redeemed code. */
export function RedeemedCode({ entry: { delta, reference, created_time } }: { entry: LedgerEntry }) {
  const { t, currency } = usePageContext()
  return (
    <section className="mb-8" role="status">
      <p className="mt-0 mb-3 font-semibold">{t('payment.added', { quota: balanceText(delta, currency) })}</p>
      <Receipt
        title={t('user.kind_redeem')}
        lines={[lineOf(t('payment.code'), 1, delta, currency)]}
        quota={delta}
        at={created_time}
        per={t('log.per_each')}
        decimals={CREDIT_DECIMALS}
        facts={[{ label: t('payment.code_id'), value: `#${reference}` }]}
      />
    </section>
  )
}
