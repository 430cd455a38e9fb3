/** Errors of OpenAI chat, and of the many providers that use its format. https://platform.openai.com/docs/guides/error-codes (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import { statusOf, wordFor } from '../canonical/api-error.ts'
import type { ApiError } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { brokenOff } from './finish.ts'

/** Looks for an error where providers put it, OpenAI's own place first. */
export function readError(body: unknown, status = 0): ApiError | undefined {
  const error = errorIn(body)
  if (error) return errorFrom(error, status)
  return objectsOf(objectOf(body).choices)
    .map(choice => brokenOff(choice.finish_reason))
    .find(failure => failure)
}

function errorIn(body: unknown): Json | undefined {
  if (!isObject(body)) return undefined
  const { error, response, errors, choices } = body
  const inner = [error, objectOf(response).error, objectsOf(errors)[0]].find(isObject)
  if (inner) return inner
  const { message, msg, err, error_msg, errorMsg, detail, header } = body
  const places = [error, message, msg, err, error_msg, errorMsg, flawsIn(detail), objectOf(header).message]
  const text = places.find(text => typeof text === 'string' && text !== '')
  if (text === undefined || (Array.isArray(choices) && !error)) return undefined
  return { ...body, code: body.code ?? body.error_code ?? objectOf(header).code, message: text }
}

/** FastAPI lists what is wrong with a request. https://fastapi.tiangolo.com/tutorial/handling-errors (read 2026-11) */
const flawsIn = (detail: unknown): unknown =>
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

/** OpenAI's types of errors that other formats name otherwise. */
const types: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  500: 'server_error',
}

/** Types of other formats. Any other type is OpenAI's or the gateway's own, and stays. */
const foreign = /^(?:[A-Z_]+|api_error|timeout_error|overloaded_error|billing_error|request_too_large|)$/

export const writeError = (error: ApiError): Json =>
  writeOwnError({ ...error, type: foreign.test(error.type) ? wordFor(error.status, types) : error.type })

/** The same for an error whose type is of this format. */
export const writeOwnError = ({ message, type, code, param }: ApiError): Json => ({
  error: { message, type, param, code: code || null },
})

export const writeErrorFrame = (error: ApiError): string => `data: ${JSON.stringify(writeOwnError(error))}\n\n`
