/**
 * Reads the errors of Baidu's API v1, `{ error_code, error_msg }`, nearly all with HTTP status 200.
 * https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh (read 2026-11)
 */
import type { ApiError } from '../canonical/chat.ts'
import { isAbsent, isObject } from '../json/checks.ts'
import { entryOf, objectOf, textOf } from '../json/lenient-json.ts'
import { readError as readOpenAiError } from '../openai-chat/api-error.ts'
import type { WenxinErrorBody } from './wire.ts'

/** HTTP status by code; 110 and 111 refuse the token, 13 and 14 the key. */
const statuses: Record<string, number> = {
  ...codes(429, 4, 17, 18, 19, 336_100),
  ...codes(401, 13, 14, 110, 111),
  ...codes(403, 6),
  ...codes(400, 100, 336_001, 336_002, 336_003, 336_004, 336_005, 336_006, 336_007, 336_103, 336_104, 336_105),
}

/** Parameters that only some models have. */
const ofParameters = /^3363\d\d$/
const UNKNOWN = 500
/** An error inside a stream has no status: clients know this one by its code. */
const RATE_LIMITED = 429

export function readError(body: unknown, status = 0): ApiError | undefined {
  if (!isObject(body)) return undefined
  const { error_code, error_msg } = objectOf<WenxinErrorBody>(body)
  const { result, data } = body
  if (!isAbsent(error_code) && error_code !== 0) {
    return errorFrom(String(error_code), textOf(error_msg), status)
  }
  return typeof result === 'string' || Array.isArray(data) ? undefined : readOpenAiError(body, status)
}

function errorFrom(number: string, message: string, http_status: number): ApiError {
  const status = statusOf(number, http_status)
  return { status, message, type: '', code: status === RATE_LIMITED ? 'rate_limit_exceeded' : number, param: null }
}

function statusOf(code: string, status: number): number {
  const known = entryOf(statuses, code) ?? (ofParameters.test(code) ? 400 : undefined)
  return known ?? (status >= 400 ? status : UNKNOWN)
}

function codes(status: number, ...numbers: number[]): Record<string, number> {
  return Object.fromEntries(numbers.map(code => [code, status]))
}
