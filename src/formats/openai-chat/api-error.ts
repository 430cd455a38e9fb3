import type { Json } from '../../pure/json.ts'
import { statusOf, wordFor } from '../canonical/api-error.ts'
import type { ApiError } from '../canonical/chat.ts'
import { objectOf, objectsOf } from '../json/lenient-json.ts'
import { readError, writeError } from './error.ts'
import { brokenOff } from './finish.ts'

export function readApiError(body: unknown, status: number): ApiError | undefined {
  const error = readError(body)
  if (error) return { ...error, status: statusOf(status, error) }
  return objectsOf(objectOf(body).choices)
    .map(choice => brokenOff(choice.finish_reason))
    .find(failure => failure)
}

/** OpenAI's words for what other formats call otherwise. */
const types: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  500: 'server_error',
}

/** A type that is known nowhere else is the gateway's own, and stays. */
const foreign = /^(?:[A-Z_]+|api_error|timeout_error|overloaded_error|billing_error|request_too_large|)$/

export const writeApiError = ({ status, message, type, code, param }: ApiError): Json =>
  writeError({ status, message, type: foreign.test(type) ? wordFor(status, types) : type, code, param })
