import type { Json } from '../../pure/json.ts'
import { statusOf } from '../canonical/api-error.ts'
import type { ApiError } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectOf } from '../json/lenient-json.ts'
import { readApiError as readChatFailure, writeApiError } from '../openai-chat/api-error.ts'

export { writeApiError } from '../openai-chat/api-error.ts'

/** A failed answer is a response of its own; an answer without failure has the field too, and nothing in it. */
export function readError(body: unknown, status: number): ApiError | undefined {
  if (!isObject(body)) return undefined
  const response = isObject(body.response) ? body.response : body
  if (isObject(response.error)) return readChatFailure({ error: response.error }, status)
  if (response.object === 'response') return undefined
  if (body.type !== 'error') return readChatFailure(body, status)
  const error = readChatFailure({ error: body }, status)
  return error && { ...error, type: '', status: statusOf(status, { ...error, type: '' }) }
}

/** Inside a stream the error has no object around it. */
export const writeStreamFailure = (failure: ApiError): Json => {
  const { message, code, param } = objectOf(writeApiError(failure).error)
  return { code, message, param }
}
