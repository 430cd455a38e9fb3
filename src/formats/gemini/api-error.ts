/**
 * Reads and writes Gemini error bodies: `{ error: { code, message, status } }`.
 * https://ai.google.dev/gemini-api/docs/troubleshooting (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { errorTypeFor, messageOf, type OverflowWords, statusOf } from '../canonical/api-error.ts'
import type { ApiError } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { readError as readOpenAiError } from '../openai-chat/api-error.ts'
import { readDetails, writeDetails } from './error-details.ts'
import type { GeminiErrorBody } from './wire.ts'

/**
 * A blocked prompt has status 200 and no candidates. The stream endpoint without `alt=sse` wraps an error in a list of
 * one.
 */
export function readError(body: unknown, status = 0): ApiError | undefined {
  const single = Array.isArray(body) && body.length === 1 ? body[0] : body
  if (!isObject(single)) return undefined
  if (isObject(single.error)) return readStatus(single.error, status)
  const { blockReason } = objectOf(single.promptFeedback)
  if (typeof blockReason === 'string' && !objectsOf(single.candidates).length) return blocked(blockReason)
  if (Array.isArray(single.candidates) || isObject(single.usageMetadata)) return undefined
  return readOpenAiError(single, status)
}

/** An invalid API key is status 400 `INVALID_ARGUMENT`; only the details contain `API_KEY_INVALID`. */
function readStatus({ code, message, status: status_name, details }: Json, status: number): ApiError {
  const reasons = objectsOf(details).map(({ reason }) => reason)
  const badKey = reasons.includes('API_KEY_INVALID')
  const error = {
    type: textOf(status_name),
    code: badKey ? 'invalid_api_key' : textOf(status_name).toLowerCase() || String(code ?? ''),
  }
  const http_status = typeof code === 'number' ? code : status
  return {
    ...error,
    status: badKey ? 401 : statusOf(http_status, error),
    message: textOf(message),
    param: null,
    ...readDetails(objectsOf(details)),
  }
}

const blocked = (reason: string): ApiError => ({
  status: 400,
  message: `The prompt was blocked: ${reason}`,
  type: 'invalid_request_error',
  code: 'content_filter',
  param: null,
})

const statusNames: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

const overflowWords: OverflowWords = {
  own: /input token count.*exceeds the maximum|but model only supports/i,
  write({ tokens, output = 0, max }) {
    const count = tokens === undefined ? '' : ` (${tokens})`
    const limit = max === undefined ? '' : ` (${max - output})`
    return `The input token count${count} exceeds the maximum number of tokens allowed${limit}.`
  },
}

export function writeError(error: ApiError): GeminiErrorBody {
  const { status } = error
  const body = { code: status, message: messageOf(error, overflowWords), status: errorTypeFor(status, statusNames) }
  const details = writeDetails(error)
  return { error: details ? { ...body, details } : body }
}

export const writeErrorFrame = (failure: ApiError): string => `data: ${JSON.stringify(writeError(failure))}\n\n`
