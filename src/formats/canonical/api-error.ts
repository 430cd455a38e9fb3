/** Errors between formats that name them differently: all of them share the HTTP status. */
import type { ApiError } from './chat.ts'
import type { Overflow } from './overflow.ts'

/** Words in the code or type of an error inside a response of status 200. */
const statuses: [RegExp, number][] = [
  [/rate_limit|throttl|too_many|resource_exhausted|quota/, 429],
  [/auth|invalid_api_key/, 401],
  [/billing/, 402],
  [/permission|forbidden|not_included|not_enabled/, 403],
  [/not_found/, 404],
  [/too_large/, 413],
  [/overloaded|unavailable|slow_down/, 503],
  [/timeout|deadline/, 504],
  [/invalid|validation|context_length|failed_precondition|bad_request|policy|content_filter|image_|_image/, 400],
]

const UNKNOWN = 500

/** The error of an event that is not of its format. */
export const unreadable: ApiError = { status: 502, message: '', type: '', code: '', param: null }

/** @returns the kind of the event that has this error */
export const kindOf = (failure: ApiError): 'error' | 'broken' => (failure === unreadable ? 'broken' : 'error')

/** @param status of the HTTP response; below 400 the error stood in a response that had begun well */
export function statusOf(status: number, { type, code }: Pick<ApiError, 'type' | 'code'>): number {
  if (status >= 400) return status
  const numeric = Number(code)
  if (Number.isInteger(numeric) && numeric >= 400 && numeric < 600) return numeric
  const words = `${code} ${type}`.toLowerCase()
  return statuses.find(([pattern]) => pattern.test(words))?.[1] ?? UNKNOWN
}

/** Types for errors of providers that have codes alone: `statusOf` finds the status again by the word in each. */
export const wordedTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'access_forbidden',
  404: 'not_found_error',
  408: 'timeout_error',
  429: 'rate_limit_error',
  500: 'server_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

/** The words of a format for an overflow, and how to know them: the maker's own pass as they are. */
export interface OverflowWords {
  own: RegExp
  write(overflow: Overflow): string
}

/** The message of an error for clients of a format. */
export function messageOf({ message, overflow, request_id }: ApiError, words: OverflowWords): string {
  const text = overflow && !words.own.test(message) ? words.write(overflow) : message
  return request_id === undefined ? text : `${text} (request id: ${request_id})`
}

/** @param types of a format, by status; 400 and 500 stand for all of their class */
export const errorTypeFor = (status: number, types: Record<number, string>): string =>
  types[status] ?? types[status >= 500 ? 500 : 400] ?? ''
