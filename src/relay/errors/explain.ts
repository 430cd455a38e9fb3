/** Turns any error of a call into a response in the client's format and language. */

import { BUDGET_HEADERS } from '../../contracts/budget.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { CONVERSATION_HEADER, COST_HEADER } from '../../contracts/relay.ts'
import { BudgetExhausted } from '../../domain/budgets/index.ts'
import { refusedIfTransient } from '../../domain/wallet/index.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import { OVERFLOW } from '../../formats/canonical/overflow.ts'
import { translate, translator } from '../../locales/index.ts'
import type { Language } from '../../locales/languages.ts'
import { log, reason } from '../../process/log.ts'
import { type ErrorFormat, statusFor } from './error-format.ts'
import { ClientDisconnected, Fault } from './fault.ts'
import { shownParams } from './shown-params.ts'

const OUR_TYPE = 'tollgate_error'
const UPSTREAM_TYPE = 'upstream_error'
/** nginx's status for a client that closed the connection; only logs of proxies show it. */
const CLIENT_CLOSED_REQUEST = 499
const REQUEST_TIMEOUT = 408

/**
 * The official SDKs wait by `retry-after-ms` before `retry-after`, and repeat nothing where `x-should-retry` is false.
 * https://github.com/openai/openai-node/blob/master/src/client.ts (read 2026-11)
 */
const RETRY_HEADERS = { seconds: 'retry-after', ms: 'retry-after-ms', should_retry: 'x-should-retry' } as const

/**
 * Headers of every response. Any origin may call, since keys and not cookies authenticate. Shared caches spare only
 * responses to a request with `authorization`, and keys come in other places too: none may be stored.
 */
export const headersFor = (request_id: string): Record<string, string> => ({
  'cache-control': 'no-store',
  'x-request-id': request_id,
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': [
    'x-request-id',
    ...Object.values(RETRY_HEADERS),
    ...Object.values(BUDGET_HEADERS),
    COST_HEADER,
    CONVERSATION_HEADER,
  ].join(', '),
})

interface ErrorContext {
  request_id: string
  language: Language
}

const MS_PER_SECOND = 1000

export function errorResponse(error: unknown, format: ErrorFormat, context: ErrorContext): Response {
  const explained = explain(error, context)
  const api_error = { ...explained.api_error, status: statusFor(format, explained) }
  const { retry_after_ms } = api_error
  const headers = headersFor(context.request_id)
  if (retry_after_ms) {
    headers[RETRY_HEADERS.seconds] = String(Math.ceil(retry_after_ms / MS_PER_SECOND))
    headers[RETRY_HEADERS.ms] = String(retry_after_ms)
  }
  if (error instanceof BudgetExhausted && !error.isOfChannel) Object.assign(headers, error.headers)
  // The rest of a body that comes too slowly is not waited for.
  if (api_error.status === REQUEST_TIMEOUT) headers.connection = 'close'
  if (explained.is_final) headers[RETRY_HEADERS.should_retry] = 'false'
  return Response.json(format.writeError(api_error), { status: api_error.status, headers })
}

interface Explanation {
  api_error: ApiError
  /** The upstream has no room now. */
  overloaded: boolean
  /** No repetition of the same call succeeds. */
  is_final: boolean
}

export function explain(error: unknown, context: ErrorContext): Explanation {
  if (error instanceof Fault) return explainFault(error, context)
  if (error instanceof BudgetExhausted && error.isOfChannel) return explainFault(saturatedFor(error), context)
  if (error instanceof Refusal) return explainRefusal(error, context)
  if (error instanceof ClientDisconnected)
    return explainRefusal(new Refusal('relay.abandoned', {}, CLIENT_CLOSED_REQUEST), context)
  log.error('call failed', { request_id: context.request_id, reason: reason(error) })
  const refusal = refusedIfTransient(error)
  return explainRefusal(refusal instanceof Refusal ? refusal : new Refusal('error.internal', {}, 500), context)
}

/** For clients a budget of a channel is an upstream without room. */
function saturatedFor({ params }: BudgetExhausted): Fault {
  const retry_after_ms = Number(params.seconds) * MS_PER_SECOND
  return new Fault({ status: 429, code: 'relay.upstream_saturated', retry: false, retry_after_ms })
}

/** The status of an error, before the client's format changes it. */
export function statusOf(error: unknown): number {
  if (error instanceof ClientDisconnected) return CLIENT_CLOSED_REQUEST
  if (error instanceof Fault) return error.status
  const refusal = refusedIfTransient(error)
  if (refusal instanceof Refusal) return refusal.status === 200 ? 400 : refusal.status
  return 500
}

function explainRefusal(refused: Refusal, context: ErrorContext): Explanation {
  const { code, params, status: own, field } = refused
  const status = own === 200 ? 400 : own
  const { request_id, language } = context
  const api_error: ApiError = {
    status,
    message: translate(language, code, shownParams(refused, translator(language))),
    type: status === 404 ? 'invalid_request_error' : OUR_TYPE,
    param: field ?? null,
    code: shortCode(code),
    request_id,
  }
  const waits = code !== 'relay.budget_spent'
  if (waits && (status === 429 || status === 503))
    api_error.retry_after_ms = Number(params.seconds ?? 1) * MS_PER_SECOND
  return { api_error, overloaded: false, is_final: !waits || isFinal(status) }
}

function explainFault(fault: Fault, { request_id, language }: ErrorContext): Explanation {
  const { status, code, params, upstream_error, overflow, quota_details, retry_after_ms } = fault
  const { type, code: upstream_code, param = null, details } = upstream_error ?? {}
  const api_error: ApiError = {
    ...{ status, param, overflow, quota_details, retry_after_ms, request_id },
    message: upstream_error?.message || translate(language, code, params),
    type: type || UPSTREAM_TYPE,
    // Makers give an unknown id no code.
    code: upstream_code || (code === 'relay.stored_unknown' ? '' : shortCode(code)),
    ...(overflow && OVERFLOW),
    ...(details && { details }),
  }
  return { api_error, overloaded: fault.overloaded, is_final: fault.is_final || isFinal(status) }
}

/** Timeouts, conflicts, limits and failures of a server pass; other errors of a request stay. */
const passing = new Set([408, 409, 425, 429])
const NOT_IMPLEMENTED = 501
const isFinal = (status: number) => (status < 500 ? !passing.has(status) : status === NOT_IMPLEMENTED)

/** `wallet.insufficient_user_quota` is `insufficient_user_quota` to clients. */
const shortCode = (code: string) => code.slice(code.indexOf('.') + 1)
