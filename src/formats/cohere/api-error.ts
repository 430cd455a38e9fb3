/** Reads error bodies: `{ id, message }`. https://docs.cohere.com/reference/errors (read 2026-11) */
import type { ApiError } from '../canonical/chat.ts'
import { objectOf } from '../json/lenient-json.ts'
import { readError as readOpenAiError } from '../openai-chat/api-error.ts'
import { generationError } from './finish-reason.ts'
import type { CohereEnd } from './wire.ts'

/** The account has no means of payment. */
const UNPAID = 402
/** The request or the response contains a token on Cohere's list of denied ones. */
const DENIED = 498

/** A response of status 200 can report a failed generation; the message of a chat is an object. */
export function readError(body: unknown, status = 0): ApiError | undefined {
  const { finish_reason, error } = objectOf<CohereEnd>(body)
  const failure = generationError(finish_reason, error)
  if (failure) return failure
  const read = readOpenAiError(body, status)
  if (read?.status === UNPAID) return { ...read, type: 'insufficient_quota' }
  if (read?.status !== DENIED) return read
  return { ...read, status: 400, type: 'invalid_request_error', code: 'content_filter' }
}
