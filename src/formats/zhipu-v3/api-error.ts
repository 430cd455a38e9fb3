/**
 * Reads the errors of Zhipu's API v3, `{ code, msg, success: false }`, many with HTTP status 200.
 * https://open.bigmodel.cn/dev/howuse/error-code (read 2026-11)
 */
import type { ApiError } from '../canonical/chat.ts'
import { isAbsent, isObject } from '../json/checks.ts'
import { entryOf, textOf } from '../json/lenient-json.ts'
import { readError as readOpenAiError } from '../openai-chat/api-error.ts'

const SUCCESS = 200
const UNKNOWN = 500
/** An error inside a stream has no status: clients know this one by its code. */
const RATE_LIMITED = 429

/** HTTP status by code. 1120 is a failure to look the account up. */
const statuses: Record<string, number> = {
  ...codes(401, 1000, 1001, 1002, 1003, 1004),
  ...codes(403, 1110, 1111, 1112, 1121, 1220, 1221, 1222),
  ...codes(429, 1113, 1302, 1303, 1304, 1308, 1310),
  ...codes(503, 1120, 1305),
  ...codes(400, 1210, 1211, 1212, 1213, 1214, 1215, 1261, 1300, 1301),
}

/** Types by which a key is known as useless: the account is in arrears, inactive, locked or unknown. */
const types: Record<string, string> = {
  1110: 'permission_error',
  1111: 'permission_error',
  1112: 'permission_error',
  1113: 'insufficient_quota',
  1121: 'permission_error',
}

export function readError(body: unknown, status = 0): ApiError | undefined {
  if (!isObject(body)) return undefined
  const { code, success } = body
  const isRefused = success === false || (!isAbsent(code) && Number(code) !== SUCCESS)
  if (isRefused && !isObject(body.error)) return errorFrom(code, body.msg ?? body.message, status)
  if (isObject(body.error) && entryOf(statuses, body.error.code))
    return errorFrom(body.error.code, body.error.message, status)
  return isObject(body.data) ? undefined : readOpenAiError(body, status)
}

function errorFrom(number: unknown, message: unknown, http_status: number): ApiError {
  const status = entryOf(statuses, number) ?? (http_status >= 400 ? http_status : UNKNOWN)
  const type = entryOf(types, number) ?? ''
  const code = status === RATE_LIMITED ? type || 'rate_limit_exceeded' : String(number ?? '')
  return { status, message: textOf(message), type, code, param: null }
}

function codes(status: number, ...numbers: number[]): Record<string, number> {
  return Object.fromEntries(numbers.map(code => [code, status]))
}
