/** Routes of the wallet page: its forms, the state of an order, the way to the gateway. */
import { z } from 'zod'
import { OrderPanel } from '../../../views/wallet/order.tsx'
import { Pay } from '../../../views/wallet/pay.tsx'
import { payPageAt, topUpAt, walletAt } from '../../../views/wallet/view.ts'
import { Figures } from '../../../views/wallet/wallet.tsx'
import { Id } from '../../contracts/paging.ts'
import { WALLET_PATH } from '../../contracts/payment.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { isTopUpEnabled, orderOf, payForm, placeOrder } from '../../domain/payments/index.ts'
import { redeem } from '../../domain/redemption/index.ts'
import { anyUser } from '../../domain/users/index.ts'
import { lastCreditOf } from '../../domain/wallet/index.ts'
import { translate } from '../../locales/index.ts'
import { text } from '../../web/forms.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import { postingTo } from '../../web/page-headers.ts'
import { addressOf } from '../../web/request.ts'
import { idempotent, listPage } from '../list-page.ts'
import { redirectTo, render, renderPart, wantsPart } from '../page.tsx'
import { refusedForm } from '../refused-form.ts'
import { pageAt } from '../visit.ts'
import { amountIn, show, TopUpValues, type WalletPage, WalletQuery } from './show.tsx'

const access = { userPage: 'signedIn', query: WalletQuery } as const
const ofOrder = { ...access, params: Id } as const

type OrderRequest = WalletPage & { params: { id: number } }

export const walletPages = listPage(WALLET_PATH)
  .get('', page => show(page), access)
  .get('/orders/:id', showState, ofOrder)
  .get('/orders/:id/pay', showPay, ofOrder)
  .post('/redeem', redeemCode, access)
  .post('/pay', pay, access)

const RedeemForm = z.object({ key: text })

async function redeemCode(page: WalletPage): Promise<Response> {
  const { caller, request, server, visit } = page
  const { key } = RedeemForm.parse(page.body)
  try {
    await redeem({ key, user_id: caller.id, address: addressOf(request, server) })
    return redirectTo(walletAt({}, { redeemed: (await lastCreditOf(caller.id, 'redeem'))!.id }))
  } catch (error) {
    const refused = refusedForm(error, request, visit.language)
    return show(pageAt(page, WALLET_PATH), { redeem: { ...refused, code: key } })
  }
}

const PayForm = TopUpValues.extend({ money_cents: text, form_id: text })

async function pay(page: WalletPage): Promise<Response> {
  const { caller, request, server, visit } = page
  const form = PayForm.parse(page.body)
  const { amount, method } = form
  try {
    await checkLimit('critical', request, server, 'pay')
    const order = await idempotent(page, form, async key =>
      placeOrder(
        {
          ...{ user: caller, amount: amountIn(amount), method },
          agreed_cents: Number(form.money_cents),
        },
        key,
      ),
    )
    return redirectTo(payPageAt(order.id))
  } catch (error) {
    if (error instanceof Refusal && error.code === 'payment.price_changed')
      return redirectTo(topUpAt(amount, method, 1), { kind: 'error', text: translate(visit.language, error.code) })
    const refused = refusedForm(error, request, visit.language)
    return show(pageAt(page, WALLET_PATH), { topUp: { ...refused, values: { amount, method } } })
  }
}

/** The panel of an order, with the balance once it is paid. */
async function showState({ request, visit, caller, params }: OrderRequest): Promise<Response> {
  if (!wantsPart(request)) return redirectTo(walletAt({}, { order: params.id }))
  const order = await orderOf(caller.id, params.id)
  const { quota, used_quota } = (await anyUser(caller.id))!
  const parts = (
    <>
      <OrderPanel order={order} canPay={isTopUpEnabled()} />
      {order.status === 'paid' && <Figures quota={quota} used_quota={used_quota} apart />}
    </>
  )
  return renderPart(visit, parts)
}

async function showPay(page: OrderRequest): Promise<Response> {
  const { request, visit, caller, params } = page
  const order = await orderOf(caller.id, params.id)
  if (order.status !== 'pending') return redirectTo(walletAt({}, { order: order.id }))
  const form = await payForm(caller.id, order.id)
  return render(request, visit, <Pay visit={visit} order={order} form={form} />, {
    title: translate(visit.language, 'payment.pay_title'),
    frame: 'auth',
    headers: postingTo(visit, new URL(form.url)),
  })
}
