/** JSON API of online top-ups of the signed-in user: sum, order, own orders. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { centsText } from '../../billing/top-up.ts'
import { optional, pageOf } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import { NewOrder, TopUpQuotation } from '../../contracts/payment.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { isTopUpEnabled, ordersOf, placeOrder, quoteTopUp } from '../../domain/payments/index.ts'
import { asRefusal, envelope, envelopeOf, ok } from '../../web/envelope.ts'
import { idempotencyKeyOf } from '../../web/idempotency-key.ts'
import { criticalLimit } from '../../web/ip-rate-limit.ts'
import { languageFor } from '../../web/request.ts'
import { guard } from '../guard.ts'

/** Statuses of what concerns the order itself. */
const ofOrder = [200, 400, 409]

interface Context {
  request: Request
  set: { status?: number | string }
}

/** Clients of these two routes compare `message` with `success`, and read the sentence of an error in `message` or in `data`. */
async function answered<T extends object>({ request, set }: Context, work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    const refusal = asRefusal(error, request)
    if (!ofOrder.includes(refusal.status)) throw refusal
    set.status = refusal.status
    const envelope = envelopeOf(refusal, languageFor(request))
    return { ...envelope, data: envelope.message }
  }
}

const ListQuery = z.object({ p: optional, page_size: optional })

export const walletApi = new Elysia()
  .use(envelope)
  .use(guard)
  .use(criticalLimit)
  .post(
    '/api/user/amount',
    ({ caller, body, ...context }) =>
      answered(context, async () => {
        const { amount } = parse(TopUpQuotation, body)
        if (!isTopUpEnabled()) throw new Refusal('payment.not_enabled')
        return ok(centsText(quoteTopUp(amount, caller.group).money_cents), 'success')
      }),
    { signedIn: true },
  )
  .post(
    '/api/user/pay',
    ({ caller, body, ...context }) =>
      answered(context, async () => {
        const { amount, payment_method: method } = parse(NewOrder, body)
        const { request } = context
        const { form } = await placeOrder({ user: caller, amount, method }, idempotencyKeyOf(request))
        return { ...ok(form.fields, 'success'), url: form.url }
      }),
    { signedIn: true, critical: 'pay' },
  )
  .get('/api/user/topup/self', async ({ caller, query }) => ok(await ordersOf(caller.id, pageOf(query, 1))), {
    signedIn: true,
    query: ListQuery,
  })
