/** Operations of balance, top-ups, rewards and statement of the signed-in user. */
import { z } from 'zod'
import { NewOrder, TopUpQuotation } from '../../../contracts/payment.ts'
import { RedeemBody } from '../../../contracts/redemption.ts'
import { Transfer } from '../../../contracts/reward.ts'
import { listingOf, OrderAnswer, StatementAnswer } from '../answers.ts'
import type { OperationGroup } from './notes.ts'

const ofGateway = 'The payment gateway calls it with its signature; the response is `success` or `fail` as text.'

export const wallet: OperationGroup = {
  noun: 'wallet',
  title: 'Balance and payments',
  operations: {
    'POST /api/user/topup': {
      summary: 'Redeems a code.',
      body: RedeemBody,
      example: { key: 'SPRING-2026' },
      idempotent: true,
    },
    'POST /api/user/amount': {
      summary: 'Price of an online top-up.',
      description: '`data` is the sum, as `73.00`. An error has `error` as message and its sentence in `data`.',
      body: TopUpQuotation,
      example: { amount: 10 },
      data: z.string(),
    },
    'POST /api/user/pay': {
      summary: 'Places an order of an online top-up.',
      description: '`url` and the fields in `data` are a form for the payment gateway.',
      body: NewOrder,
      example: { amount: 10, payment_method: 'alipay' },
      data: z.record(z.string(), z.string()),
      beside: { url: z.string() },
      idempotent: true,
    },
    'GET /api/user/topup/self': { summary: 'Own orders, newest first.', data: listingOf(OrderAnswer) },
    'GET /api/user/epay/notify': {
      has_effect: true,
      summary: 'Report of a payment.',
      description: ofGateway,
      answer: z.string(),
    },
    'POST /api/user/epay/notify': { summary: 'Report of a payment.', description: ofGateway, answer: z.string() },
    'GET /api/user/statement': { summary: 'Own statement: credits and daily usage.', data: StatementAnswer },
    'GET /api/user/aff': { summary: 'Own invitation code.', data: z.string() },
    'POST /api/user/aff_transfer': {
      summary: 'Moves earnings from invitations to the balance.',
      body: Transfer,
      example: { quota: 500000 },
      idempotent: true,
    },
    'GET /api/user/check_in_status': {
      summary: 'Whether the user can check in today.',
      data: z.object({ can_check_in: z.boolean() }),
    },
    'POST /api/user/check_in': {
      summary: 'Checks in for the daily reward.',
      query: z.object({ turnstile: z.string().optional() }),
      idempotent: true,
    },
  },
}
