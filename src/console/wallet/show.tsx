/** The wallet as its address describes it: a recognised code, an order, a confirmation. */
import type { ReactNode } from 'react'
import { z } from 'zod'
import { OrderPanel, RedeemedCode } from '../../../views/wallet/order.tsx'
import { Redeem } from '../../../views/wallet/redeem.tsx'
import { ConfirmTopUp, TopUpDisabled, TopUpForm, type TopUpFormValues } from '../../../views/wallet/top-up.tsx'
import { walletAt } from '../../../views/wallet/view.ts'
import { Wallet } from '../../../views/wallet/wallet.tsx'
import { amountRange } from '../../billing/top-up.ts'
import { optional } from '../../contracts/paging.ts'
import { PAYMENT_METHODS } from '../../contracts/payment.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { budgetsShown } from '../../domain/budgets/index.ts'
import { option } from '../../domain/options/index.ts'
import { isTopUpEnabled, orderOf, ordersOf, quoteTopUp, topUpTerms } from '../../domain/payments/index.ts'
import { anyUser } from '../../domain/users/index.ts'
import { ledgerEntryOf } from '../../domain/wallet/index.ts'
import { translate } from '../../locales/index.ts'
import { newFormId } from '../../web/idempotent-form.ts'
import { type PageRequest, pagingOf, redirectPastEnd } from '../list-page.ts'
import { render } from '../page.tsx'
import { type RefusedForm, refusedForm } from '../refused-form.ts'

const id = z.coerce.number().pipe(z.int().min(1)).optional().catch(undefined)
const method = z.enum(PAYMENT_METHODS).catch('alipay')

export const WalletQuery = z.object({
  p: optional,
  /** Of a link to a redemption. */
  code: optional,
  'get-code': z.string().optional(),
  order: id,
  /** Ledger entry of a redeemed code. */
  redeemed: id,
  amount: optional,
  method,
  confirm: optional,
})

export type WalletPage = PageRequest<z.output<typeof WalletQuery>>

export const TopUpValues = z.object({ amount: z.string().default(''), method })

/** What was refused, for its form. */
export interface RefusedForms {
  redeem?: RefusedForm & { code: string }
  topUp?: RefusedTopUp
}

interface RefusedTopUp extends RefusedForm {
  values: TopUpFormValues
  overlay?: ReactNode
}

export async function show(page: WalletPage, refused: RefusedForms = {}): Promise<Response> {
  const { request, visit, caller } = page
  const orders = await ordersOf(caller.id, pagingOf(page))
  const redirect = redirectPastEnd(pagingOf(page), orders.total, last => walletAt({ page: last }))
  if (redirect) return redirect
  const { quota, used_quota } = (await anyUser(caller.id))!
  const topUp = topUpParts(page, refused)
  const content = (
    <Wallet
      figures={{ quota, used_quota }}
      notice={await noticeOf(page)}
      topUp={topUp.form}
      redeem={redeemBox(page, refused)}
      orders={orders}
      budgets={await budgetsShown('user', page.caller.id)}
      overlay={topUp.overlay}
    />
  )
  const status = refused.redeem?.status ?? topUp.status
  return render(request, visit, content, { title: translate(visit.language, 'payment.title'), status })
}

async function noticeOf({ caller, query }: WalletPage): Promise<ReactNode> {
  if (query.order) return <OrderPanel order={await orderOf(caller.id, query.order)} canPay={isTopUpEnabled()} />
  const entry = query.redeemed && (await ledgerEntryOf(caller.id, query.redeemed))
  return entry && entry.kind === 'redeem' && <RedeemedCode entry={entry} />
}

function redeemBox({ query }: WalletPage, { redeem }: RefusedForms): ReactNode {
  const code = query.code?.trim() ?? ''
  return (
    <Redeem
      code={redeem?.code ?? code}
      isRecognised={!redeem && code !== ''}
      errors={redeem ? { ...(redeem.problem && { key: redeem.problem }), ...redeem.errors } : {}}
      link={option('TopUpLink')}
      asked={query['get-code'] !== undefined}
    />
  )
}

function topUpParts(page: WalletPage, { topUp: refused }: RefusedForms) {
  if (!isTopUpEnabled()) return { form: <TopUpDisabled />, status: refused?.status }
  const { caller, query } = page
  const terms = topUpTerms(caller.group)
  const { amount = String(amountRange(terms).min), method } = refused?.values ?? query
  const { overlay, errors, problem, status } = refused ?? (query.confirm ? confirmation(page, { amount, method }) : {})
  const form = <TopUpForm terms={terms} values={{ amount, method }} errors={errors ?? {}} problem={problem} />
  return { form, overlay, status }
}

/** The dialog that asks whether to order, or what is wrong with the amount. */
function confirmation({ request, visit, caller }: WalletPage, values: TopUpFormValues): Partial<RefusedTopUp> {
  try {
    const topUp = quoteTopUp(amountIn(values.amount), caller.group)
    return { overlay: <ConfirmTopUp {...values} topUp={topUp} form_id={newFormId()} /> }
  } catch (error) {
    return refusedForm(error, request, visit.language)
  }
}

/** @throws Refusal for a text that is no whole number */
export function amountIn(text: string): number {
  const digits = text.trim().replaceAll(',', '')
  if (!/^\d{1,15}$/.test(digits) || Number(digits) === 0) throw new Refusal('payment.amount_invalid', {}, 400, 'amount')
  return Number(digits)
}
