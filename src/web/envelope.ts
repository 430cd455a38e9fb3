/** The console's envelope, `{ success, message, data }`, and how every refusal becomes one. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { refusalOf } from '../contracts/parse.ts'
import { databaseUnavailable, Refusal } from '../contracts/refusal.ts'
import { isTransientError } from '../db/transient-error.ts'
import { isMessageKey, translate } from '../locales/index.ts'
import type { Language } from '../locales/languages.ts'
import { log, reason } from '../process/log.ts'
import { readConsoleBody } from './console-body.ts'
import { checkBody, decode, parseJson, readOrDefer } from './read-body.ts'
import { idOf, languageFor } from './request.ts'

/** `data` is null for a function without a result: JSON drops undefined, and every envelope has the field. */
export const ok = <T>(data: T, message = '') => ({ success: true as const, message, data: data ?? null })

const TIMEOUT = 408
/** nginx's status for a client that closed the connection; only logs of proxies show it. */
const CLIENT_CLOSED_REQUEST = 499
const TOO_MANY = 429
const UNAVAILABLE = 503

const secondsOf = ({ params }: Refusal) => Number(params.seconds ?? 1)

/** When to try again, for what is refused at this moment. The rest of a body that comes too slowly is not waited for. */
export function retryHeaders(refusal: Refusal): Record<string, string> {
  const { status } = refusal
  if (status === TIMEOUT) return { connection: 'close' }
  return status === TOO_MANY || status === UNAVAILABLE ? { 'retry-after': String(secondsOf(refusal)) } : {}
}

/** Converts any error to a Refusal; an unexpected one is logged and becomes 500 or 503. */
export function asRefusal(thrown: unknown, request: Request): Refusal {
  const error = unwrapped(thrown)
  if (error instanceof Refusal) return error
  const code = (error as { code?: unknown }).code
  if (code === 'NOT_FOUND' || isNoAddress(thrown))
    return new Refusal('error.invalid_url', { method: request.method, path: new URL(request.url).pathname }, 404)
  if (error instanceof z.ZodError) return refusalOf(error)
  if (request.signal.aborted) return new Refusal('relay.abandoned', {}, CLIENT_CLOSED_REQUEST)
  if (code === 'PARSE') return new Refusal('error.invalid_json', {}, 400)
  log.error('request failed', { request_id: idOf(request), path: new URL(request.url).pathname, reason: reason(error) })
  return isTransientError(error) ? databaseUnavailable() : new Refusal('error.internal', {}, 500)
}

/** A path parameter that its schema refuses: `/api/user/aff` is no `/api/user/:id`. */
const isNoAddress = (error: unknown) => {
  const { code, type } = Object(error) as { code?: unknown; type?: unknown }
  return code === 'VALIDATION' && type === 'params'
}

/** What a refusal says to people: an option has its label, not its key. */
export function refusalText({ code, params }: Refusal, language: Language): string {
  const label = `option.${String(params.key).replace('.', '_')}`
  const isNamed = code.startsWith('option.') && isMessageKey(label)
  return translate(language, code, isNamed ? { ...params, key: translate(language, label) } : params)
}

/** `data` is null, or the seconds to wait of a limit. */
export function envelopeOf(refusal: Refusal, language: Language) {
  const { code, field } = refusal
  return {
    success: false as const,
    message: refusalText(refusal, language),
    code,
    ...(field ? { field } : {}),
    data: refusal.status === TOO_MANY ? { retry_after: secondsOf(refusal) } : null,
  }
}

/** Forbids caching, and content types guessed by browsers. */
const headersFor = (request: Request): Record<string, string> => ({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': idOf(request),
})

/** The response to a failed API request, in the client's language. */
export function refuse(error: unknown, request: Request): Response {
  const refusal = asRefusal(error, request)
  const headers = { ...headersFor(request), ...retryHeaders(refusal) }
  return Response.json(envelopeOf(refusal, languageFor(request)), { status: refusal.status, headers })
}

/** For the routes of the console's API: strict JSON in, envelopes out. */
export const envelope = new Elysia({ name: 'envelope' })
  .onParse({ as: 'scoped' }, ({ request, server }) =>
    readOrDefer(async () => {
      const text = decode(await readConsoleBody({ request, server }))
      return text === '' ? {} : parseJson(text)
    }),
  )
  .onBeforeHandle({ as: 'scoped' }, ({ body }) => checkBody(body))
  .onAfterHandle({ as: 'scoped' }, ({ set, request }) => {
    Object.assign(set.headers, headersFor(request))
  })
  .onError({ as: 'scoped' }, ({ error, request }) => refuse(error, request))

/** Elysia wraps errors of parsers and schemas: returns the original error. */
function unwrapped(error: unknown): unknown {
  const { code, cause, valueError, all } = error as {
    code?: string
    cause?: unknown
    valueError?: unknown
    all?: unknown[]
  }
  if (code === 'PARSE' && cause) return cause
  if (code !== 'VALIDATION') return error
  const issue = (all?.[0] ?? valueError) as { path?: unknown; message?: string; summary?: string } | undefined
  const path = Array.isArray(issue?.path)
    ? issue.path
    : String(issue?.path ?? '')
        .split(/[/.]/)
        .filter(part => part && part !== 'root')
  return new z.ZodError([
    { code: 'custom', path: path as PropertyKey[], message: issue?.message ?? '', input: undefined },
  ])
}
