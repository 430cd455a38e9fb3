/** Reads `finish_reason`. https://docs.cohere.com/reference/chat (read 2026-11) */
import type { ApiError, Finish, FinishReason } from '../canonical/chat.ts'
import { entryOf, textOf } from '../json/lenient-json.ts'

/** `ERROR_LIMIT` and `ERROR_TOXIC` are from version 1. */
const reasons: Record<string, FinishReason> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop_sequence',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool_calls',
  ERROR_LIMIT: 'context_full',
  ERROR_TOXIC: 'filter',
}

const failures: Record<string, number> = { ERROR: 503, TIMEOUT: 504 }

export const readFinish = (value: unknown, called: boolean): Finish => {
  const reason = entryOf(reasons, value) ?? 'stop'
  return { reason: reason === 'stop' && called ? 'tool_calls' : reason }
}

/** @returns undefined for a generation that has not failed */
export function generationError(value: unknown, message: unknown): ApiError | undefined {
  const status = entryOf(failures, value)
  if (!status) return undefined
  const code = String(value)
  return {
    status,
    message: textOf(message) || `The model was broken off: ${code}`,
    type: 'server_error',
    code,
    param: null,
  }
}
