/**
 * Reads Bedrock's exceptions, of whole responses and of streams.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html (read 2026-11)
 */
import type { ApiError } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { entryOf, textOf } from '../json/lenient-json.ts'

type ErrorKind = Pick<ApiError, 'status' | 'type'>

const throttled: ErrorKind = { status: 429, type: 'rate_limit_error' }
const invalid: ErrorKind = { status: 400, type: 'invalid_request_error' }
/** The key may still serve other models. */
const denied: ErrorKind = { status: 403, type: 'access_denied' }
const failed: ErrorKind = { status: 500, type: 'api_error' }

/** By the name of the exception in lower case: streams begin it with a small letter. */
const kinds: Record<string, ErrorKind> = {
  throttlingexception: throttled,
  toomanyrequestsexception: throttled,
  modelnotreadyexception: throttled,
  servicequotaexceededexception: throttled,
  validationexception: invalid,
  conflictexception: invalid,
  resourcenotfoundexception: { status: 404, type: 'not_found_error' },
  modeltimeoutexception: { status: 408, type: 'timeout_error' },
  modelerrorexception: { status: 424, type: 'api_error' },
  modelstreamerrorexception: { status: 424, type: 'api_error' },
  internalserverexception: failed,
  serviceunavailableexception: { status: 503, type: 'overloaded_error' },
  accessdeniedexception: denied,
  unrecognizedclientexception: denied,
  invalidsignatureexception: denied,
  incompletesignatureexception: denied,
  expiredtokenexception: denied,
  missingauthenticationtokenexception: denied,
}

/** The account's key, and not what it may do: a wrong access key or secret, a session or an API key that has ended. */
const refusesKey = (name: string, message: string): boolean =>
  /^(?:UnrecognizedClient|ExpiredToken|InvalidClientTokenId)/i.test(name) ||
  /^The request signature we calculated does not match/i.test(message) ||
  /API key is (?:not )?valid|bearer token/i.test(message)

/** Rules match this code, whatever the provider's own is. */
const INVALID_KEY = 'invalid_api_key'

export function errorOf(name: string, message: string, status = 0): ApiError {
  const kind = entryOf(kinds, name.toLowerCase())
  return {
    status: status >= 400 ? status : (kind?.status ?? failed.status),
    message,
    type: kind?.type ?? (status && status < 500 ? invalid.type : failed.type),
    code: refusesKey(name, message) ? INVALID_KEY : name,
    param: null,
  }
}

/** @param body of a response, or an event of a stream. @returns undefined when there is no error */
export function readError(body: unknown, status = 0): ApiError | undefined {
  if (!isObject(body)) return undefined
  if (isObject(body.error)) return errorOf(textOf(body.error.type), textOf(body.error.message), status)
  const message = textOf(body.message) || textOf(body.Message)
  const name = exceptionName(body.__type)
  return message || name ? errorOf(name, message, status) : undefined
}

/** `com.amazon.coral.service#ThrottlingException:http://internal.amazon.com/…` */
const exceptionName = (type: unknown): string => /^(?:[^#:]*#)?([^:]*)/.exec(textOf(type))?.[1] ?? ''
