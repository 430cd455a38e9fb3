/** Errors of Spark by code, in the header of a frame. https://www.xfyun.cn/doc/spark/接口说明.html (read 2026-11) */
import { errorTypeFor, wordedTypes } from '../canonical/api-error.ts'
import type { ApiError } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { entryOf, objectOf, textOf } from '../json/lenient-json.ts'
import { readError as readOpenAiError } from '../openai-chat/api-error.ts'
import type { SparkFrame } from './wire.ts'

const UNKNOWN = 500

const statuses: Record<string, number> = {
  ...of(400, 10003, 10004, 10005, 10013, 10014, 10019, 10163, 10907),
  ...of(403, 10015, 10016, 11200),
  ...of(429, 10006, 10007, 11201, 11202, 11203),
  ...of(503, 10008, 10010, 10011, 10110, 10222),
}

function of(status: number, ...codes: number[]): Record<string, number> {
  return Object.fromEntries(codes.map(code => [code, status]))
}

/** Codes that clients know by OpenAI's name. */
const names: Record<string, string> = {
  10013: 'content_filter',
  10014: 'content_filter',
  10019: 'content_filter',
  10907: 'context_length_exceeded',
  ...Object.fromEntries([10006, 10007, 11201, 11202, 11203].map(code => [code, 'rate_limit_exceeded'])),
}

/** @param code of Spark, not 0 */
export const sparkError = (code: unknown, message: unknown): ApiError => ({
  status: statusOf(code),
  message: textOf(message),
  type: errorTypeFor(statusOf(code), wordedTypes),
  code: entryOf(names, code) ?? String(code),
  param: null,
})

const statusOf = (code: unknown): number => entryOf(statuses, code) ?? UNKNOWN

export function readError(body: unknown, status?: number): ApiError | undefined {
  if (!isObject(body) || !isObject(body.header)) return readOpenAiError(body, status)
  const { code, message } = objectOf<SparkFrame['header']>(body.header)
  return code ? sparkError(code, message) : undefined
}
