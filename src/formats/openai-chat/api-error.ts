/**
 * Reads and writes OpenAI errors in canonical form, with a status.
 * https://platform.openai.com/docs/guides/error-codes (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { statusOf, wordFor } from '../canonical/api-error.ts'
import type { ApiError } from '../canonical/chat.ts'
import { objectOf, objectsOf } from '../json/lenient-json.ts'
import { readError, writeError } from './error.ts'
import { generationError } from './finish.ts'

export function readApiError(body: unknown, status: number): ApiError | undefined {
  const error = readError(body)
  if (error) return { ...error, status: statusOf(status, error) }
  return objectsOf(objectOf(body).choices)
    .map(choice => generationError(choice.finish_reason))
    .find(failure => failure)
}

/** OpenAI's error types by status. */
const types: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  500: 'server_error',
}

/** Error types of other formats, and none. Every other type is kept. */
const foreignTypes = /^(?:[A-Z_]+|api_error|timeout_error|overloaded_error|billing_error|request_too_large|)$/

export const writeApiError = ({ status, message, type, code, param }: ApiError): Json =>
  writeError({ status, message, type: foreignTypes.test(type) ? wordFor(status, types) : type, code, param })
