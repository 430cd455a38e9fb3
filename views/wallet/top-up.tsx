/** Online top-up: the form with the sum while typing, and its confirmation. */
import Info from 'lucide/dist/esm/icons/info.mjs'
import { ChoiceField } from '../../client/components/choice.tsx'
import { Dialog } from '../../client/components/drawer.tsx'
import { type Preset, TextField } from '../../client/components/field.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Form, PageLink, viewRequest } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { balanceText } from '../../src/billing/quota.ts'
import { amountRange, payableFor, type TopUp, type TopUpTerms, topUpOf, yuanText } from '../../src/billing/top-up.ts'
import { PAYMENT_METHODS, type PaymentMethod, WALLET_PATH } from '../../src/contracts/payment.ts'
import { grouped } from '../../src/pure/number.ts'
import { Problem } from '../layout/auth-layout.tsx'
import { Section } from '../me/section.tsx'
import { methodName } from '../payments/state.tsx'
import { topUpAt, walletAction } from './view.ts'

export interface TopUpFormValues {
  amount: string
  method: PaymentMethod
}

interface TopUpFormProps {
  terms: TopUpTerms
  values: TopUpFormValues
  errors: Record<string, string>
  /** A message that concerns no field. */
  problem?: string
}

/** Currency units. */
const AMOUNTS = [1, 10, 20, 50, 100, 500]

export function TopUpForm({ terms, values, errors, problem }: TopUpFormProps) {
  const { t } = usePageContext()
  const { display_in_currency, quota_per_unit } = terms
  const { min, max } = amountRange(terms)
  const presets: Preset[] = AMOUNTS.map(units => [units, display_in_currency ? units : units * quota_per_unit] as const)
    .filter(([, amount]) => amount >= min && amount <= max && Number.isInteger(amount))
    .map(([units, amount]) => ({ value: String(amount), label: `$${grouped(units)}` }))
  return (
    <Section title={t('payment.top_up')} help={t('payment.top_up_help', { price: yuanText(unitCents(terms)) })}>
      {problem && <Problem>{problem}</Problem>}
      <form method="get" action={WALLET_PATH} {...viewRequest(WALLET_PATH)} noValidate className="grid gap-4">
        <TextField
          name="amount"
          type="number"
          label={t('payment.amount')}
          unit={display_in_currency ? 'USD' : t('user.quota_unit')}
          help={t('payment.amount_help', { min: grouped(min) })}
          number
          inputMode="numeric"
          autoComplete="off"
          min={min}
          max={max}
          step={1}
          required
          value={values.amount}
          error={errors.amount}
          presets={presets}
        />
        <ChoiceField
          name="method"
          label={t('payment.method')}
          choices={PAYMENT_METHODS.map(method => ({ value: method, label: methodName(method, t) }))}
          value={values.method}
          error={errors.method}
        />
        <input type="hidden" name="confirm" value="1" />
        <div className="flex flex-wrap items-center gap-4">
          <button type="submit" className="btn btn-primary">
            {t('payment.go_on')}
          </button>
          <Payable terms={terms} amount={values.amount} />
        </div>
      </form>
    </Section>
  )
}

/** Price of one currency unit. */
const unitCents = (terms: TopUpTerms) => topUpOf(1, { ...terms, display_in_currency: true }).money_cents

function Payable({ terms, amount }: { terms: TopUpTerms; amount: string }) {
  const { t } = usePageContext()
  const { money, quota } = payableFor(amount, terms)
  return (
    <tollgate-payable terms={JSON.stringify(terms)} of="field-amount" class="script-only">
      <span className="ink-3">{t('payment.payable')}</span>{' '}
      <output className="number font-semibold text-lg" htmlFor="field-amount">
        {money}
      </output>{' '}
      <span className="ink-3">{t('payment.for_quota')}</span>{' '}
      <output className="number" htmlFor="field-amount">
        {quota}
      </output>
    </tollgate-payable>
  )
}

export function TopUpDisabled() {
  const { t } = usePageContext()
  return (
    <Section title={t('payment.top_up')}>
      <p className="note m-0">
        <Icon of={Info} />
        <span>{t('payment.not_enabled')}</span>
      </p>
    </Section>
  )
}

interface ConfirmTopUpProps extends TopUpFormValues {
  topUp: TopUp
  form_id: string
  /** Such as a price that has changed. */
  error?: string
}

export function ConfirmTopUp({ amount, method, topUp, form_id, error }: ConfirmTopUpProps) {
  const { t, currency } = usePageContext()
  const close = topUpAt(amount, method)
  return (
    <Dialog
      title={t('payment.confirm_title')}
      close={close}
      facts={
        <>
          {error && <Problem>{error}</Problem>}
          <dl className="facts">
            <dt>{t('payment.amount')}</dt>
            <dd>{balanceText(topUp.quota, currency)}</dd>
            <dt>{t('payment.payable')}</dt>
            <dd className="font-semibold">{yuanText(topUp.money_cents)}</dd>
            <dt>{t('payment.method')}</dt>
            <dd>{methodName(method, t)}</dd>
          </dl>
        </>
      }
    >
      <PageLink href={close} className="btn btn-ghost" data-close>
        {t('ui.cancel')}
      </PageLink>
      <Form action={walletAction('pay')} fullPage className="contents">
        <input type="hidden" name="amount" value={amount} />
        <input type="hidden" name="method" value={method} />
        <input type="hidden" name="money_cents" value={topUp.money_cents} />
        <input type="hidden" name="form_id" value={form_id} />
        <button type="submit" className="btn btn-primary">
          {t('payment.pay_sum', { sum: yuanText(topUp.money_cents) })}
        </button>
      </Form>
    </Dialog>
  )
}
