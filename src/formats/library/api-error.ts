/** Reads the errors of AI Proxy, `{ success: false, message, errCode }`, also with HTTP status 200. https://docs.aiproxy.io/dev/library (read 2026-11) */
import { statusOf } from '../canonical/api-error.ts'
import type { ApiError } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { textOf } from '../json/lenient-json.ts'
import { readError as readOpenAiError } from '../openai-chat/api-error.ts'

export function readError(body: unknown, status = 0): ApiError | undefined {
  if (!isObject(body)) return undefined
  const { success, errCode, message, answer, content } = body
  const isRefused = success === false || Number(errCode ?? 0) !== 0
  if (!isRefused) return typeof (answer ?? content) === 'string' ? undefined : readOpenAiError(body, status)
  const code = errCode ? String(errCode) : ''
  return {
    status: statusOf(status, { type: '', code }),
    message: textOf(message),
    type: 'aiproxy_error',
    code,
    param: null,
  }
}
