/**
 * Reads DashScope's errors: `{ code, message, request_id }`, in compatible mode OpenAI's with the same codes.
 * https://help.aliyun.com/zh/model-studio/error-code (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { ApiError } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { textOf } from '../json/lenient-json.ts'
import { readError as readOpenAiError } from '../openai-chat/api-error.ts'

/**
 * OpenAI's error type by code; the first that matches counts. `insufficient_quota` is a limit of tokens in a minute,
 * an account without money is in `Arrearage`. A refused model says nothing about the key.
 */
const types: [RegExp, string][] = [
  [/^invalid_?api_?key$/i, 'authentication_error'],
  [/^Arrearage$|FreeTierOnly/i, 'insufficient_quota'],
  [/Throttling|^limit_|rate_?limit|quota/i, 'rate_limit_error'],
  [/access_?denied/i, 'permission_denied'],
  [/not_?found|NotExist/i, 'not_found_error'],
  [/inspection|^invalid|^bad_?request/i, 'invalid_request_error'],
  [/time_?out/i, 'timeout_error'],
  [/unavailable|busy|overload/i, 'overloaded_error'],
  [/^internal|failed$/i, 'server_error'],
]

const typeOf = (code: unknown): string | undefined => types.find(([pattern]) => pattern.test(textOf(code)))?.[1]

/** Both forms of an error as OpenAI's with its type. @returns the same body when it is no error */
export function withErrorType(body: Json): Json {
  const { error, code, message, type: event } = body
  if (isObject(error)) {
    const type = typeOf(error.code) ?? typeOf(error.type)
    return type ? { ...body, error: { ...error, type } } : body
  }
  if (!textOf(code) || event !== undefined) return body
  return { error: { message: textOf(message) || code, type: typeOf(code) ?? '', param: null, code } }
}

export const readError = (body: unknown, status = 0): ApiError | undefined =>
  readOpenAiError(isObject(body) ? withErrorType(body) : body, status)
