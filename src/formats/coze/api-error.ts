/** Reads Coze's errors: `{ code, msg }`, under status 200 too. https://www.coze.cn/docs/developer_guides/coze_error_codes (read 2026-11) */
import { statusOf } from '../canonical/api-error.ts'
import type { ApiError } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { entryOf, textOf } from '../json/lenient-json.ts'
import { readError as readOpenAiError } from '../openai-chat/api-error.ts'

/** What the codes mean, in words that clients know; others count as their HTTP status. */
const meanings: Record<number, Pick<ApiError, 'status' | 'type' | 'code'>> = {
  4000: { status: 400, type: 'invalid_request_error', code: 'invalid_request' },
  4009: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  4011: { status: 402, type: 'insufficient_quota', code: 'insufficient_quota' },
  4013: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  4100: { status: 401, type: 'authentication_error', code: 'invalid_api_key' },
  4101: { status: 403, type: 'permission_error', code: 'permission_denied' },
  4200: { status: 404, type: 'not_found_error', code: 'not_found' },
  700012006: { status: 401, type: 'authentication_error', code: 'invalid_api_key' },
}

export function readError(body: unknown, status = 0): ApiError | undefined {
  if (!isObject(body)) return undefined
  const { code, msg } = body
  if (typeof code !== 'number') return readOpenAiError(body, status)
  if (code === 0) return undefined
  const error = { message: textOf(msg) || `Coze error ${code}`, type: '', code: String(code), param: null }
  return { ...error, status: statusOf(status, error), ...entryOf(meanings, code) }
}
