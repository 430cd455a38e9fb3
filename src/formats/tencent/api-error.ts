/**
 * Reads errors of Tencent Cloud, which have status 200: `{ Response: { Error: { Code, Message } } }`, or `ErrorMsg` in
 * an event. https://cloud.tencent.com/document/product/1729/101844 (read 2026-11)
 */
import { errorTypeFor, statusOf, wordedTypes } from '../canonical/api-error.ts'
import type { ApiError } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, textOf } from '../json/lenient-json.ts'
import { readError as readOpenAiError } from '../openai-chat/api-error.ts'
import type { HunyuanFailure } from './wire.ts'

/** By the beginning of the code; the first that fits. */
const statuses: [RegExp, number][] = [
  // The gateway's own clock is wrong: the key is good.
  [/^AuthFailure\.SignatureExpire/, 403],
  [/^(?:AuthFailure\.Unauthorized|UnauthorizedOperation|FailedOperation\.ServiceNotActivated)/, 403],
  [/^AuthFailure/, 401],
  [/^(?:LimitExceeded|RequestLimitExceeded|FailedOperation\.EngineServerLimitExceeded)/, 429],
  [/^(?:ResourceInsufficient|FailedOperation\.(?:\w*ResourcePackExhausted|ServiceStop))/, 402],
  [/^FailedOperation\.EngineRequestTimeout/, 504],
  [/^(?:InvalidParameter|MissingParameter|UnknownParameter|Unsupported|OperationDenied\.\w*Illegal)/, 400],
  [/^(?:OperationDenied|RegionError)/, 403],
  [/^(?:ResourceNotFound|InvalidAction|NoSuch)/, 404],
  [/^ResourceUnavailable/, 503],
]

/** OpenAI's name for content review and for limits. */
const nameOf = (code: string, status: number): string =>
  /Illegal/.test(code) ? 'content_filter' : status === 429 ? 'rate_limit_exceeded' : code

export function readError(body: unknown, status = 0): ApiError | undefined {
  if (!isObject(body)) return undefined
  const { Error: error, ErrorMsg } = objectOf<HunyuanFailure>(body.Response ?? body)
  if (isObject(error)) {
    const { Code, Message } = objectOf<NonNullable<HunyuanFailure['Error']>>(error)
    return errorOf(textOf(Code), textOf(Message))
  }
  const { Msg, Code } = objectOf<NonNullable<HunyuanFailure['ErrorMsg']>>(ErrorMsg)
  if (Msg || Code) return failureOf(textOf(Msg), String(Code ?? ''))
  return 'Response' in body || 'Choices' in body ? undefined : readOpenAiError(body, status)
}

function errorOf(code: string, message: string): ApiError {
  const status = statuses.find(([pattern]) => pattern.test(code))?.[1] ?? UNKNOWN
  const type = errorTypeFor(status, wordedTypes)
  return { status, message, type, code: nameOf(code, status), param: null }
}

const UNKNOWN = 500

/** The numbers of `ErrorMsg` are not documented. */
function failureOf(message: string, code: string): ApiError {
  const status = statusOf(0, { type: '', code })
  return { status, message, type: errorTypeFor(status, wordedTypes), code, param: null }
}
