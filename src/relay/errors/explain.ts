/** What goes wrong, in the caller's own format and language. */

import type { Language } from '../../contracts/languages.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { isTransientError } from '../../db/transient-error.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import { translate } from '../../locales/index.ts'
import { log, reason } from '../../process/log.ts'
import { COST_HEADER } from '../charging/cost.ts'
import type { ErrorFormat } from './error-format.ts'
import { ClientDisconnected, Fault } from './fault.ts'

const OUR_TYPE = 'tollgate_error'
const UPSTREAM_TYPE = 'upstream_error'
/** Nobody reads it any more; for the log of a proxy in front of us. */
const CLIENT_CLOSED = 499

/** On every answer: clients in browsers are welcome, keys and not cookies open this door. */
export const headersFor = (request_id: string): Record<string, string> => ({
  'x-request-id': request_id,
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': `x-request-id, retry-after, ${COST_HEADER}`,
})

interface Asked {
  request_id: string
  language: Language
}

export function explain(error: unknown, voice: ErrorFormat, asked: Asked): Response {
  const { trouble, retry_after } = troubleOf(error, asked)
  const headers = headersFor(asked.request_id)
  if (retry_after) headers['retry-after'] = retry_after
  return Response.json(voice.writeError(trouble), { status: trouble.status, headers })
}

interface Explained {
  trouble: ApiError
  retry_after?: string
}

export function troubleOf(error: unknown, asked: Asked): Explained {
  if (error instanceof Fault) return ofUpstream(error, asked)
  if (error instanceof Refusal) return ofOurs(error, asked)
  if (error instanceof ClientDisconnected) return ofOurs(new Refusal('relay.abandoned', {}, CLIENT_CLOSED), asked)
  log.error('call failed', { request_id: asked.request_id, reason: reason(error) })
  if (isTransientError(error)) return ofOurs(new Refusal('wallet.unavailable', {}, 503), asked)
  return ofOurs(new Refusal('error.internal', {}, 500), asked)
}

function ofOurs({ code, params, status, field }: Refusal, asked: Asked): Explained {
  const message = signed(translate(asked.language, code, params), asked)
  return {
    trouble: {
      status: status === 200 ? 400 : status,
      message,
      type: status === 404 ? 'invalid_request_error' : OUR_TYPE,
      param: field ?? null,
      code: shortCode(code),
    },
    retry_after: status === 429 || status === 503 ? String(params.seconds ?? 1) : undefined,
  }
}

function ofUpstream({ status, code, params, upstream_error, retry_after }: Fault, asked: Asked): Explained {
  const message = signed(upstream_error?.message || translate(asked.language, code, params), asked)
  const { type, param = null } = upstream_error ?? {}
  return {
    trouble: { status, message, type: type || UPSTREAM_TYPE, param, code: upstream_error?.code || shortCode(code) },
    retry_after,
  }
}

/** `wallet.insufficient_user_quota` is `insufficient_user_quota` to clients. */
const shortCode = (code: string) => code.slice(code.indexOf('.') + 1)

const signed = (message: string, { request_id }: Asked) => `${message} (request id: ${request_id})`
