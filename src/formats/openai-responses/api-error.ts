/**
 * Reads errors of the Responses API: the error of a response object, and the `error` event of a stream.
 * https://platform.openai.com/docs/api-reference/responses (read 2026-11)
 */
import { statusOf } from '../canonical/api-error.ts'
import type { ApiError } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { readError as readChatError } from '../openai-chat/api-error.ts'

/** A failed response object has an `error`; others have `error: null`. */
export function readError(body: unknown, status = 0): ApiError | undefined {
  if (!isObject(body)) return undefined
  const response = isObject(body.response) ? body.response : body
  if (isObject(response.error)) return readChatError({ error: response.error }, status)
  if (response.object === 'response') return undefined
  if (body.type !== 'error') return readChatError(body, status)
  const error = readChatError({ error: body }, status)
  return error && { ...error, type: '', status: statusOf(status, { ...error, type: '' }) }
}
