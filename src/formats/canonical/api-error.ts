/** What went wrong, between formats that name it differently: the HTTP status is the word that they share. */
import type { ApiError } from './chat.ts'

/** What errors inside a stream are called, where no status says it. */
const statuses: [RegExp, number][] = [
  [/insufficient_quota|rate_limit|too_many_requests|resource_exhausted|quota/, 429],
  [/invalid_api_key|authentication|unauthenticated|unauthorized/, 401],
  [/billing/, 402],
  [/permission|forbidden/, 403],
  [/not_found/, 404],
  [/too_large/, 413],
  [/overloaded|unavailable/, 503],
  [/timeout|deadline/, 504],
  [/invalid|context_length|failed_precondition|bad_request|content_policy|content_filter/, 400],
]

const UNKNOWN = 500

/** An event that is not of its format. */
export const unreadable: ApiError = { status: 502, message: '', type: '', code: '', param: null }

/** What an event is in which an upstream gives up. */
export const kindOf = (failure: ApiError): 'error' | 'broken' => (failure === unreadable ? 'broken' : 'error')

/** @param told what the answer itself said; below 400 it was told inside an answer that had begun well. */
export function statusOf(told: number, { type, code }: Pick<ApiError, 'type' | 'code'>): number {
  if (told >= 400) return told
  const numeric = Number(code)
  if (Number.isInteger(numeric) && numeric >= 400 && numeric < 600) return numeric
  const words = `${code} ${type}`.toLowerCase()
  return statuses.find(([pattern]) => pattern.test(words))?.[1] ?? UNKNOWN
}

/** The word that a format has for a status, or for the class of statuses that it belongs to. */
export const wordFor = (status: number, words: Record<number, string>): string =>
  words[status] ?? words[status >= 500 ? 500 : 400] ?? ''
