/**
 * Reads errors of Replicate: `{ title, detail, status }`, and predictions that have failed.
 * https://replicate.com/docs/reference/error-codes (read 2026-11)
 */
import { errorTypeFor } from '../canonical/api-error.ts'
import type { ApiError } from '../canonical/chat.ts'
import { numberOf, objectOf, parsedObject, textOf } from '../json/lenient-json.ts'
import { readError as readOpenAiError } from '../openai-chat/api-error.ts'
import type { PredictionState } from './wire.ts'

/** @returns undefined when the body is no error */
export function readError(body: unknown, status = 0): ApiError | undefined {
  const { status: state, error } = objectOf<PredictionState>(body)
  if (state === 'failed' || state === 'canceled' || state === 'aborted')
    return failureOf(textOf(error) || `the prediction is ${state}`)
  return readHttpError(body, status)
}

/** The body has a title in place of type and code. */
function readHttpError(body: unknown, status: number): ApiError | undefined {
  const failure = readOpenAiError(body, status)
  if (!failure) return undefined
  const type = errorTypeFor(failure.status, types)
  return { ...failure, type, code: failure.code || type }
}

const types: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  500: 'server_error',
}

const kinds: [RegExp, Pick<ApiError, 'status' | 'type' | 'code'>][] = [
  [/\bE005\b|nsfw|flagged|sensitive/i, { status: 400, type: 'invalid_request_error', code: 'content_policy' }],
  [/\bE003\b|high demand/i, { status: 503, type: 'overloaded_error', code: 'overloaded' }],
  [/\bE(?:004|6716)\b|timed? ?out/i, { status: 504, type: 'timeout_error', code: 'timeout' }],
]

const unknown = { status: 502, type: 'server_error', code: 'prediction_failed' }

/** The data of an error in a stream: a text, or an error as responses have it. */
export function readProblem(text: string): ApiError {
  const { detail, status } = parsedObject(text)
  const known = readHttpError({ detail }, numberOf(status) ?? 0)
  return known && status ? known : failureOf(textOf(detail) || text)
}

/** The failure of a prediction, which has only a text. */
export function failureOf(message: string): ApiError {
  const [, kind = unknown] = kinds.find(([pattern]) => pattern.test(message)) ?? []
  return { ...kind, message, param: null }
}
