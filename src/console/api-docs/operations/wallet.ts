/** Operations of balance, top-ups, rewards and statement of the signed-in user. */
import { z } from 'zod'
import { listingOf } from '../../../contracts/paging.ts'
import { NewOrder, Order, TopUpQuotation } from '../../../contracts/payment.ts'
import { RedeemBody } from '../../../contracts/redemption.ts'
import { Transfer } from '../../../contracts/reward.ts'
import { StatementListing } from '../../../contracts/statement.ts'
import type { OperationGroup } from './notes.ts'

const ofGateway = 'The payment gateway calls it with its signature; the response is `success` or `fail` as text.'

export const wallet: OperationGroup = {
  noun: 'wallet',
  title: 'Balance and payments',
  operations: {
    'POST /api/user/topup': {
      summary: 'operation.redeem',
      body: RedeemBody,
      example: { key: 'SPRING-2026' },
      idempotent: true,
    },
    'POST /api/user/amount': {
      summary: 'operation.top_up_price',
      description: '`data` is the sum, as `73.00`. An error has `error` as message and its sentence in `data`.',
      body: TopUpQuotation,
      example: { amount: 10 },
      data: z.string(),
    },
    'POST /api/user/pay': {
      summary: 'operation.top_up',
      description: '`url` and the fields in `data` are a form for the payment gateway.',
      body: NewOrder,
      example: { amount: 10, payment_method: 'alipay' },
      data: z.record(z.string(), z.string()),
      beside: { url: z.string() },
      idempotent: true,
    },
    'GET /api/user/topup/self': { summary: 'operation.orders_self', data: listingOf(Order) },
    'GET /api/user/epay/notify': {
      has_effect: true,
      summary: 'operation.payment_report',
      description: ofGateway,
      response: z.string(),
    },
    'POST /api/user/epay/notify': { summary: 'operation.payment_report', description: ofGateway, response: z.string() },
    'GET /api/user/statement': { summary: 'operation.statement', data: StatementListing },
    'GET /api/user/aff': { summary: 'operation.invitation', data: z.string() },
    'POST /api/user/aff_transfer': {
      summary: 'operation.earnings_move',
      body: Transfer,
      example: { quota: 500000 },
      idempotent: true,
    },
    'GET /api/user/check_in_status': {
      summary: 'operation.check_in_state',
      data: z.object({ can_check_in: z.boolean() }),
    },
    'POST /api/user/check_in': {
      summary: 'operation.check_in',
      query: z.object({ turnstile: z.string().optional() }),
      idempotent: true,
    },
  },
}
