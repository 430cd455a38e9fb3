/**
 * Reads errors of Replicate: `{ title, detail, status }`, and predictions that have failed.
 * https://replicate.com/docs/reference/error-codes (read 2026-11)
 */
import type { ApiError } from '../canonical/chat.ts'
import { objectOf, textOf } from '../json/lenient-json.ts'
import { readError as readOpenAiError } from '../openai-chat/api-error.ts'

/** @returns undefined when the body is no error */
export function readError(body: unknown, status = 0): ApiError | undefined {
  const { status: state, error } = objectOf(body)
  if (state === 'failed' || state === 'canceled' || state === 'aborted')
    return failureOf(textOf(error) || `the prediction is ${state}`)
  return readOpenAiError(body, status)
}

const kinds: [RegExp, Pick<ApiError, 'status' | 'type' | 'code'>][] = [
  [/\bE005\b|nsfw|flagged|sensitive/i, { status: 400, type: 'invalid_request_error', code: 'content_policy' }],
  [/\bE003\b|high demand/i, { status: 503, type: 'overloaded_error', code: 'overloaded' }],
  [/\bE(?:004|6716)\b|timed? ?out/i, { status: 504, type: 'timeout_error', code: 'timeout' }],
]

const unknown = { status: 502, type: 'server_error', code: 'prediction_failed' }

/** The failure of a prediction, which has only a text. */
export function failureOf(message: string): ApiError {
  const [, kind = unknown] = kinds.find(([pattern]) => pattern.test(message)) ?? []
  return { ...kind, message, param: null }
}
