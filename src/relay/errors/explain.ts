/** Turns any error of a call into a response in the client's format and language. */

import type { Language } from '../../contracts/languages.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { CONVERSATION_HEADER, COST_HEADER } from '../../contracts/relay.ts'
import { refusedIfTransient } from '../../domain/wallet/index.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import { translate } from '../../locales/index.ts'
import { log, reason } from '../../process/log.ts'
import type { ErrorFormat } from './error-format.ts'
import { ClientDisconnected, Fault } from './fault.ts'

const OUR_TYPE = 'tollgate_error'
const UPSTREAM_TYPE = 'upstream_error'
/** nginx's status for a client that closed the connection; only logs of proxies show it. */
const CLIENT_CLOSED_REQUEST = 499

/**
 * Headers of every response. Any origin may call, since keys and not cookies authenticate. Shared caches spare only
 * responses to a request with `authorization`, and keys come in other places too: none may be stored.
 */
export const headersFor = (request_id: string): Record<string, string> => ({
  'cache-control': 'no-store',
  'x-request-id': request_id,
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': `x-request-id, retry-after, ${COST_HEADER}, ${CONVERSATION_HEADER}`,
})

interface ErrorContext {
  request_id: string
  language: Language
}

export function errorResponse(error: unknown, format: ErrorFormat, context: ErrorContext): Response {
  const { api_error, retry_after } = explain(error, context)
  const headers = headersFor(context.request_id)
  if (retry_after) headers['retry-after'] = retry_after
  return Response.json(format.writeError(api_error), { status: api_error.status, headers })
}

interface Explained {
  api_error: ApiError
  /** Seconds. */
  retry_after?: string
}

export function explain(error: unknown, context: ErrorContext): Explained {
  if (error instanceof Fault) return explainFault(error, context)
  if (error instanceof Refusal) return explainRefusal(error, context)
  if (error instanceof ClientDisconnected)
    return explainRefusal(new Refusal('relay.abandoned', {}, CLIENT_CLOSED_REQUEST), context)
  log.error('call failed', { request_id: context.request_id, reason: reason(error) })
  const refusal = refusedIfTransient(error)
  return explainRefusal(refusal instanceof Refusal ? refusal : new Refusal('error.internal', {}, 500), context)
}

function explainRefusal({ code, params, status, field }: Refusal, context: ErrorContext): Explained {
  const message = withRequestId(translate(context.language, code, params), context)
  return {
    api_error: {
      status: status === 200 ? 400 : status,
      message,
      type: status === 404 ? 'invalid_request_error' : OUR_TYPE,
      param: field ?? null,
      code: shortCode(code),
    },
    retry_after: status === 429 || status === 503 ? String(params.seconds ?? 1) : undefined,
  }
}

function explainFault({ status, code, params, upstream_error, retry_after }: Fault, context: ErrorContext): Explained {
  const message = withRequestId(upstream_error?.message || translate(context.language, code, params), context)
  const { type, param = null, details } = upstream_error ?? {}
  return {
    api_error: {
      ...{ status, message, type: type || UPSTREAM_TYPE, param, code: upstream_error?.code || shortCode(code) },
      ...(details && { details }),
    },
    retry_after,
  }
}

/** `wallet.insufficient_user_quota` is `insufficient_user_quota` to clients. */
const shortCode = (code: string) => code.slice(code.indexOf('.') + 1)

const withRequestId = (message: string, { request_id }: ErrorContext) => `${message} (request id: ${request_id})`
