/** Reads the errors of generateMessage: Google's, and responses whose candidates are all filtered. https://ai.google.dev/palm_docs/palm (read 2026-11) */
import type { ApiError } from '../canonical/chat.ts'
import { readError as readGoogleError } from '../gemini/api-error.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf, textOf, type UnreadFields } from '../json/lenient-json.ts'
import type { PalmFilter, PalmResponse } from './wire.ts'

export function readError(body: unknown, status = 0): ApiError | undefined {
  if (!isObject(body) || isObject(body.error)) return readGoogleError(body, status)
  const { candidates, filters } = objectOf<PalmResponse>(body)
  if (objectsOf(candidates).length) return undefined
  const isResponse = 'candidates' in body || 'filters' in body || 'messages' in body
  return isResponse ? filtered(objectsOf<PalmFilter>(filters).map(textIn)) : readGoogleError(body, status)
}

const textIn = ({ reason, message }: UnreadFields<PalmFilter>): string =>
  [reason, message].map(textOf).filter(Boolean).join(': ')

const filtered = (reasons: string[]): ApiError => ({
  status: 400,
  message: `The response was blocked${reasons.length ? `: ${reasons.join(', ')}` : ''}`,
  type: 'invalid_request_error',
  code: 'content_filter',
  param: null,
})
