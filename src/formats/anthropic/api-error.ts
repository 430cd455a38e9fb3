/**
 * Reads and writes Anthropic error bodies: `{ type: "error", error: { type, message } }`.
 * https://docs.anthropic.com/en/api/errors (read 2026-11)
 */
import { errorTypeFor, messageOf, type OverflowWords } from '../canonical/api-error.ts'
import type { ApiError } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectOf } from '../json/lenient-json.ts'
import { readError as readOpenAiError } from '../openai-chat/api-error.ts'
import type { AnthropicErrorBody } from './wire.ts'

/**
 * Anthropic errors have a `type` and no `code`: the type is copied into `code`, by which rules match. Proxies in front of
 * Anthropic may answer in one of the shapes that the reader of OpenAI errors knows.
 */
export function readError(body: unknown, status = 0): ApiError | undefined {
  if (isObject(body) && body.type === 'message') return undefined
  const error = readOpenAiError(body, status)
  const { error_code, unsupported } = objectOf(objectOf(objectOf(body).error).details)
  const details =
    typeof error_code === 'string' ? { error_code, ...(unsupported !== undefined && { unsupported }) } : undefined
  return error && { ...error, code: error.code || error.type, ...(details && { details }) }
}

const types: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/**
 * Claude Code compacts the conversation, or lowers `max_tokens`, by these words.
 * https://docs.claude.com/en/docs/build-with-claude/context-windows (read 2026-11)
 */
const overflowWords: OverflowWords = {
  own: /prompt is too long|exceed context limit/i,
  write({ tokens, output, max }) {
    if (tokens === undefined || max === undefined) return 'prompt is too long'
    if (output === undefined) return `prompt is too long: ${tokens} tokens > ${max} maximum`
    const sum = `${tokens} + ${output} > ${max}`
    return `input length and \`max_tokens\` exceed context limit: ${sum}, decrease input length or \`max_tokens\` and try again`
  },
}

export const writeError = (error: ApiError): AnthropicErrorBody => ({
  type: 'error',
  error: {
    type: errorTypeFor(error.status, types),
    message: messageOf(error, overflowWords),
    details: error.details,
  },
})
