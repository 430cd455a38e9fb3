/** JSON API of orders for administrators, of stray payments for root. */
import { Elysia } from 'elysia'
import { Id, pageOf } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import { OrderQuery, StrayCredit, StrayDismissal, StrayQuery } from '../../contracts/payment.ts'
import { creditStrayPayment, dismissStrayPayment, listOrders, listStrayPayments } from '../../domain/payments/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { idempotencyKeyOf } from '../../web/idempotency-key.ts'
import { guard } from '../guard.ts'

const STRAY = '/api/user/topup/stray'
const decision = { root: true, confirmed: true, params: Id } as const

export const paymentApi = new Elysia()
  .use(envelope)
  .use(guard)
  .get('/api/user/topup', async ({ query }) => ok(await listOrders(query, pageOf(query, 1))), {
    admin: true,
    query: OrderQuery,
  })
  .get(STRAY, async ({ query }) => ok(await listStrayPayments(query.waiting === 'true', pageOf(query, 1))), {
    root: true,
    query: StrayQuery,
  })
  .post(
    `${STRAY}/:id/credit`,
    async ({ actor, params, body, request }) =>
      ok(await creditStrayPayment(actor, params.id, parse(StrayCredit, body), idempotencyKeyOf(request))),
    decision,
  )
  .post(
    `${STRAY}/:id/dismiss`,
    async ({ actor, params, body }) => {
      await dismissStrayPayment(actor, params.id, parse(StrayDismissal, body).remark)
      return ok(null)
    },
    decision,
  )
