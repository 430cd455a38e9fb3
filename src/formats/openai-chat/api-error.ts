/**
 * Reads and writes OpenAI error bodies: `{ error: { message, type, param, code } }`.
 * https://platform.openai.com/docs/guides/error-codes (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { errorTypeFor, messageOf, type OverflowWords, statusOf } from '../canonical/api-error.ts'
import type { ApiError } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { generationError } from './finish-reason.ts'
import type { OpenAiErrorBody } from './wire.ts'

/**
 * Finds the error in the place where OpenAI has it, or in those of compatible servers. @returns undefined when the body
 * is no error
 */
export function readError(body: unknown, status = 0): ApiError | undefined {
  const error = errorIn(body)
  if (error) return errorFrom(error, status)
  return objectsOf(objectOf(body).choices)
    .map(choice => generationError(choice.finish_reason))
    .find(failure => failure)
}

function errorIn(body: unknown): Json | undefined {
  if (!isObject(body)) return undefined
  const { error, response, errors, choices } = body
  const inner = [error, objectOf(response).error, objectsOf(errors)[0]].find(isObject)
  if (inner) return inner
  const { message, msg, err, error_msg, errorMsg, detail, header } = body
  const places = [error, message, msg, err, error_msg, errorMsg, detailText(detail), objectOf(header).message]
  const text = places.find(text => typeof text === 'string' && text !== '')
  if (text === undefined || (Array.isArray(choices) && !error)) return undefined
  return { ...body, code: body.code ?? body.error_code ?? objectOf(header).code, message: text }
}

/** FastAPI servers send `detail` as a list with one entry for each invalid field. */
const detailText = (detail: unknown): unknown =>
  Array.isArray(detail)
    ? objectsOf(detail)
        .map(({ loc, msg }) => [[loc].flat().join('.'), msg].filter(Boolean).join(': '))
        .join('; ')
    : detail

function errorFrom({ message, type, code, param }: Json, status: number): ApiError {
  const error = {
    message: textOf(message),
    type: textOf(type),
    code: typeof code === 'number' ? String(code) : textOf(code),
    param: typeof param === 'string' ? param : null,
  }
  return { ...error, status: statusOf(status, error) }
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

/** https://platform.openai.com/docs/guides/conversation-state#managing-the-context-window (read 2026-11) */
const overflowWords: OverflowWords = {
  own: /maximum context length is|exceeds the context window/i,
  write({ tokens, output, max }) {
    if (max === undefined)
      return 'Your input exceeds the context window of this model. Please adjust your input and try again.'
    const limit = `This model's maximum context length is ${max} tokens.`
    if (tokens === undefined) return `${limit} Please reduce the length of the messages.`
    if (output === undefined)
      return `${limit} However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
    const parts = `${tokens} in the messages, ${output} in the completion`
    return `${limit} However, you requested ${tokens + output} tokens (${parts}). Please reduce the length of the messages or completion.`
  },
}

/** Error types of other formats, and none. Every other type is kept. */
const foreignTypes = /^(?:[A-Z_]+|api_error|timeout_error|overloaded_error|billing_error|request_too_large|)$/

export const writeError = (error: ApiError): OpenAiErrorBody =>
  writeOwnError({ ...error, type: foreignTypes.test(error.type) ? errorTypeFor(error.status, types) : error.type })

/** The same for an error whose type is of this format. */
export const writeOwnError = (error: ApiError): OpenAiErrorBody => ({
  error: { message: messageOf(error, overflowWords), type: error.type, param: error.param, code: error.code || null },
})

export const writeErrorFrame = (error: ApiError): string => `data: ${JSON.stringify(writeOwnError(error))}\n\n`
