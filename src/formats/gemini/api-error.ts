/** Errors of the Gemini API. https://ai.google.dev/gemini-api/docs/troubleshooting (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import { statusOf, wordFor } from '../canonical/api-error.ts'
import type { ApiError } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { readError as readOpenAiError } from '../openai-chat/api-error.ts'

/** A blocked prompt gets a response of status 200 without candidates. */
export function readError(body: unknown, status = 0): ApiError | undefined {
  const only = Array.isArray(body) && body.length === 1 ? body[0] : body
  if (!isObject(only)) return undefined
  if (isObject(only.error)) return readStatus(only.error, status)
  const { blockReason } = objectOf(only.promptFeedback)
  if (typeof blockReason === 'string' && !objectsOf(only.candidates).length) return blocked(blockReason)
  if (Array.isArray(only.candidates) || isObject(only.usageMetadata)) return undefined
  return readOpenAiError(only, status)
}

/** An invalid key has the status of an invalid argument; only the details name it. */
function readStatus({ code, message, status: word, details }: Json, status: number): ApiError {
  const reasons = objectsOf(details).map(({ reason }) => reason)
  const badKey = reasons.includes('API_KEY_INVALID')
  const error = {
    type: textOf(word),
    code: badKey ? 'invalid_api_key' : textOf(word).toLowerCase() || String(code ?? ''),
  }
  const stated = typeof code === 'number' ? code : status
  return { ...error, status: badKey ? 401 : statusOf(stated, error), message: textOf(message), param: null }
}

const blocked = (reason: string): ApiError => ({
  status: 400,
  message: `The prompt was blocked: ${reason}`,
  type: 'invalid_request_error',
  code: 'content_filter',
  param: null,
})

const words: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

export const writeError = ({ status, message }: ApiError): Json => ({
  error: { code: status, message, status: wordFor(status, words) },
})

export const writeErrorFrame = (failure: ApiError): string => `data: ${JSON.stringify(writeError(failure))}\n\n`
