/** Routes of the pages of orders, for administrators, and of stray payments, for root. */
import type { ReactNode } from 'react'
import { z } from 'zod'
import { Orders } from '../../../views/payments/orders.tsx'
import { CreditStray, DismissStray, type SettleForm } from '../../../views/payments/settle.tsx'
import { Stray } from '../../../views/payments/stray.tsx'
import { ORDER_TOTALS, type OrderTotals } from '../../../views/payments/totals.tsx'
import { type OrdersView, ordersAt, type StrayView, strayAt } from '../../../views/payments/view.ts'
import { balanceText, fromQuota, toQuota } from '../../billing/quota.ts'
import { Role } from '../../contracts/account.ts'
import { numberOf } from '../../contracts/fields.ts'
import { rangeFields } from '../../contracts/log.ts'
import { Id, optional, pageOf } from '../../contracts/paging.ts'
import { ORDERS_PATH, OrderFilter, StrayCredit, StrayDismissal } from '../../contracts/payment.ts'
import type { Visit } from '../../contracts/visit.ts'
import {
  creditStrayPayment,
  dismissStrayPayment,
  listOrders,
  listStrayPayments,
  type OrderSearch,
  strayPayment,
  sumOrders,
  waitingPayments,
} from '../../domain/payments/index.ts'
import { translate } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { text } from '../../web/forms.ts'
import { act, back, listPage, openAt, type PageRequest, pagingOf, redirectPastEnd, submit } from '../list-page.ts'
import { spanOf } from '../list-range.ts'
import { render } from '../page.tsx'
import { exportOrders } from './export.ts'

const { status, method, username, trade_no } = OrderFilter.shape

const id = z.coerce.number().pipe(z.int()).optional().catch(undefined)

const OrdersQuery = z.object({
  p: optional,
  ...{ status, method, username, trade_no },
  ...rangeFields,
  open: id,
})

const StraysQuery = z.object({ p: optional, all: optional, credit: id, dismiss: id })

type OrdersPage = PageRequest<z.output<typeof OrdersQuery>>
type StrayPage = PageRequest<z.output<typeof StraysQuery>>
type StrayRequest = StrayPage & { params: { id: number } }

const ofRoot = { userPage: 'root', query: StraysQuery } as const
const decision = { ...ofRoot, confirmed: true, params: Id } as const

export const paymentPages = listPage(ORDERS_PATH)
  .get('', showOrders, { userPage: 'admin', query: OrdersQuery })
  .get('/export.csv', page => exportOrders(page.caller.id, searchOf(page.query, page.visit), page.visit), {
    userPage: 'admin',
    query: OrdersQuery,
  })
  .get('/stray', page => showStray(page), ofRoot)
  .post('/stray/:id/credit', credit, decision)
  .post('/stray/:id/dismiss', dismiss, decision)

async function showOrders(page: OrdersPage): Promise<Response> {
  const { request, visit, caller, query } = page
  const { p, open, ...filters } = query
  const view: OrdersView = { ...filters, page: pageOf({ p }, 1).page }
  const list = await listOrders(searchOf(filters, visit), pagingOf(page))
  const redirect = redirectPastEnd(pagingOf(page), list.total, last => ordersAt({ ...view, page: last }))
  if (redirect) return redirect
  const waiting = caller.role >= Role.root ? await waitingPayments() : undefined
  const title = translate(visit.language, 'payment.orders')
  const content = <Orders view={view} list={list} totals={await totalsFor(visit)} waiting={waiting} open={open} />
  return render(request, visit, content, { title })
}

/** The range is of the payment where only paid orders are shown. */
function searchOf(view: Partial<OrdersView>, { zone }: Visit): OrderSearch {
  const { status, method, username, trade_no } = view
  const time = status === 'paid' ? 'paid_time' : 'created_time'
  return { status, method, username, trade_no, ...spanOf(view, now(), zone), time }
}

async function totalsFor(visit: Visit): Promise<OrderTotals> {
  const { today, month, waiting } = ORDER_TOTALS
  return {
    today: await sumOrders(searchOf(today, visit)),
    month: await sumOrders(searchOf(month, visit)),
    waiting: await sumOrders(searchOf(waiting, visit)),
  }
}

const viewOf = ({ p, all }: StrayPage['query']): StrayView => ({ all, page: pageOf({ p }, 1).page })

/** @param refused a form with its errors, over the list. Status 422 */
async function showStray(page: StrayPage, refused?: ReactNode): Promise<Response> {
  const { request, visit, query } = page
  const view = viewOf(query)
  const list = await listStrayPayments(!view.all, pagingOf(page))
  const redirect = redirectPastEnd(pagingOf(page), list.total, last => strayAt({ ...view, page: last }))
  if (redirect) return redirect
  const overlay = refused ?? (await overlayOf(page))
  const content = <Stray view={view} list={list} waiting={await waitingPayments()} overlay={overlay} />
  const title = translate(visit.language, 'payment.stray')
  return render(request, visit, content, { title, status: refused ? 422 : 200 })
}

async function overlayOf({ query, visit }: StrayPage): Promise<ReactNode> {
  const id = query.credit ?? query.dismiss
  if (id === undefined) return undefined
  const payment = await strayPayment(id)
  const Settle = query.credit === undefined ? DismissStray : CreditStray
  const form = { user: payment.order?.username ?? '', quota: fromQuota(payment.worth, visit.status), remark: '' }
  return payment.settled_time === 0 && <Settle view={viewOf(query)} payment={payment} form={form} errors={{}} />
}

const CreditForm = z.object({ user: text, quota: text, remark: text })

async function credit(page: StrayRequest): Promise<Response> {
  const { actor, visit, params } = page
  const form = CreditForm.parse(page.body)
  const work = async () => {
    const wanted = StrayCredit.parse({ ...form, quota: toQuota(numberOf(form.quota), visit.status) })
    const { username: name, quota } = await creditStrayPayment(actor, params.id, wanted)
    return back(page, 'payment.credited_done', { name, quota: balanceText(quota, visit.status) })
  }
  return act(page, () => submit(page, work, errors => refuse(page, 'credit', form, errors)))
}

const DismissForm = z.object({ remark: text })

async function dismiss(page: StrayRequest): Promise<Response> {
  const { remark } = DismissForm.parse(page.body)
  const work = async () => {
    await dismissStrayPayment(page.actor, page.params.id, StrayDismissal.parse({ remark }).remark)
    return back(page, 'payment.dismissed_done')
  }
  const form = { user: '', quota: '', remark }
  return act(page, () => submit(page, work, errors => refuse(page, 'dismiss', form, errors)))
}

type Errors = Record<string, string>

async function refuse(page: StrayRequest, action: 'credit' | 'dismiss', form: SettleForm, errors: Errors) {
  const { id } = page.params
  const view = viewOf(page.query)
  const opened = openAt(page, {}, strayAt(view, action === 'credit' ? { credit: id } : { dismiss: id }))
  const Settle = action === 'credit' ? CreditStray : DismissStray
  return showStray(opened, <Settle view={view} payment={await strayPayment(id)} form={form} errors={errors} />)
}
