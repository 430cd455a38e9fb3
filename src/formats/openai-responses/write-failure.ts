/**
 * Writes the end of a stream that fails: `error`, which OpenAI's SDKs raise, then `response.failed`, by whose code Codex
 * decides what to do. https://platform.openai.com/docs/api-reference/responses-streaming (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { errorTypeFor } from '../canonical/api-error.ts'
import type { ApiError } from '../canonical/chat.ts'
import { writeError } from '../openai-chat/api-error.ts'
import type { ResponsesEvents, ResponsesState } from './wire.ts'

export const writeEvent = <Type extends keyof ResponsesEvents>(
  type: Type,
  sequence_number: number,
  fields: ResponsesEvents[Type],
): string => `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...fields })}\n\n`

/**
 * @param response the response object as far as it is known, with the output so far
 * @param sequence_number of the first of the two events
 */
export function writeFailure(response: Json, failure: ApiError, sequence_number: number): string {
  const { message, type, param } = writeError(failure).error
  const code = failureCode(failure)
  const failed = failedResponse(response, failure)
  // The documented event has the fields themselves; OpenAI's servers send them in `error`, and clients know either.
  const error = { code: failure.code || code, message, param }
  return (
    writeEvent('error', sequence_number, { ...error, error: { type, ...error } }) +
    writeEvent('response.failed', sequence_number + 1, { response: failed })
  )
}

/** @param response as far as it is known */
export const failedResponse = (response: Json, failure: ApiError): Json => ({
  ...response,
  ...failedState(failure),
  usage: null,
})

const failedState = (failure: ApiError): ResponsesState => ({
  status: 'failed',
  error: { code: failureCode(failure), message: writeError(failure).error.message },
  incomplete_details: null,
})

/** Codes of failed responses that clients know; the SDK's type of them is not complete. */
const ownCodes =
  /^(?:server_error|rate_limit_exceeded|invalid_prompt|context_length_exceeded|previous_response_not_found|insufficient_quota|usage_not_included|server_is_overloaded|slow_down|\w*_policy(?:_violation)?|\w*image\w*|vector_store_timeout)$/

/** Codes of the gateway for a balance that is used up. */
const spent = /^insufficient_\w*quota$/

const codes: Record<number, string> = {
  400: 'invalid_prompt',
  402: 'insufficient_quota',
  429: 'rate_limit_exceeded',
  500: 'server_error',
}

/** Clients repeat a response that failed with an unknown code. */
function failureCode({ code, status }: ApiError): string {
  if (ownCodes.test(code)) return code
  return spent.test(code) ? 'insufficient_quota' : errorTypeFor(status, codes)
}
