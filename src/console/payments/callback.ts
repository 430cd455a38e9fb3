/** Route of the gateway's notices of payments: `success` as plain text once one is credited, else `fail`. */
import { Elysia } from 'elysia'
import { NOTIFY_PATH } from '../../contracts/payment.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { receivePayment } from '../../domain/payments/index.ts'
import { readConsoleBody } from '../../web/console-body.ts'
import { asRefusal, retryHeaders } from '../../web/envelope.ts'
import { decode } from '../../web/read-body.ts'

const SERVER_ERROR = 500
const UNAVAILABLE = 503

/** The fields are in the query of a GET, or in the form of a POST without a query. */
export const paymentCallback = new Elysia()
  .get(NOTIFY_PATH, ({ request }) => respond(request, async () => new URL(request.url).searchParams))
  .post(NOTIFY_PATH, ({ request, server }) => respond(request, () => formOf({ request, server })), { parse: 'none' })

async function formOf(context: Parameters<typeof readConsoleBody>[0]): Promise<URLSearchParams> {
  if (new URL(context.request.url).search) throw new Refusal('error.invalid_parameter', { field: 'query' }, 400)
  return new URLSearchParams(decode(await readConsoleBody(context)))
}

async function respond(request: Request, read: () => Promise<URLSearchParams>): Promise<Response> {
  try {
    return text((await receivePayment(await read())) ? 'success' : 'fail')
  } catch (error) {
    const refusal = asRefusal(error, request)
    return text('fail', refusal.status === SERVER_ERROR ? UNAVAILABLE : refusal.status, retryHeaders(refusal))
  }
}

const text = (body: string, status = 200, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
