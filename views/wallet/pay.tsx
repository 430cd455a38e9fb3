/** The page that leads to the gateway: a form with a button, which a script submits. */
import { usePageContext } from '../../client/components/page-context.tsx'
import { balanceText } from '../../src/billing/quota.ts'
import { yuan } from '../../src/billing/top-up.ts'
import type { Order } from '../../src/contracts/payment.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import { AuthFoot, AuthLayout } from '../layout/auth-layout.tsx'
import { methodName } from '../payments/state.tsx'
import { walletAt } from './view.ts'

interface PayProps {
  visit: Visit
  order: Order
  form: { url: string; fields: Record<string, string> }
}

export function Pay({ visit, order, form: { url, fields } }: PayProps) {
  const { t, currency } = usePageContext()
  return (
    <AuthLayout
      visit={visit}
      title={t('payment.pay_title')}
      lead={t('payment.pay_lead')}
      foot={<AuthFoot visit={visit} />}
    >
      <dl className="facts my-4">
        <dt>{t('payment.amount')}</dt>
        <dd>{balanceText(order.quota, currency)}</dd>
        <dt>{t('payment.payable')}</dt>
        <dd className="font-semibold">{yuan(order.money)}</dd>
        <dt>{t('payment.method')}</dt>
        <dd>{methodName(order.method, t)}</dd>
        <dt>{t('payment.number')}</dt>
        <dd className="mono wrap-anywhere">{order.trade_no}</dd>
      </dl>
      <tollgate-auto-submit>
        <form method="post" action={url}>
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" className="btn btn-primary">
            {t('payment.pay_sum', { sum: yuan(order.money) })}
          </button>
        </form>
      </tollgate-auto-submit>
      <p className="mt-6 mb-0">
        <a href={walletAt({}, { order: order.id })}>{t('payment.back')}</a>
      </p>
    </AuthLayout>
  )
}
