/**
 * Maps `finishReason` to and from the canonical finish reason.
 * https://ai.google.dev/api/generate-content (read 2026-11)
 */
import type { Finish, FinishReason } from '../canonical/chat.ts'
import { entryOf } from '../json/lenient-json.ts'

/** A reason outside this table means `filter`: Gemini has many names for blocked content. */
const reasons: Record<string, FinishReason> = {
  STOP: 'stop',
  FINISH_REASON_UNSPECIFIED: 'stop',
  MAX_TOKENS: 'length',
  MALFORMED_FUNCTION_CALL: 'broken_call',
  MALFORMED_RESPONSE: 'broken_call',
  UNEXPECTED_TOOL_CALL: 'broken_call',
  TOO_MANY_TOOL_CALLS: 'broken_call',
  MISSING_THOUGHT_SIGNATURE: 'broken_call',
  OTHER: 'stop',
  CONTINUATION: 'pause',
  NO_IMAGE: 'stop',
}

/** A response with a tool call ends with `STOP`; the parts show the call. */
export function readFinish(value: string, called: boolean): Finish {
  const reason = entryOf(reasons, value) ?? 'filter'
  if (reason === 'stop' && called) return { reason: 'tool_calls' }
  return value === writeFinish({ reason }, false) ? { reason } : { reason, native: { format: 'gemini', value } }
}

/** @param refused whether the response has a refusal part */
export function writeFinish({ reason, native }: Finish, refused: boolean): string {
  if (native?.format === 'gemini') return native.value
  switch (reason) {
    case 'stop':
      return refused ? 'SAFETY' : 'STOP'
    case 'stop_sequence':
    case 'tool_calls':
    case 'pause':
      return 'STOP'
    case 'length':
    case 'context_full':
      return 'MAX_TOKENS'
    case 'filter':
    case 'refusal':
      return 'SAFETY'
    case 'broken_call':
      return 'MALFORMED_FUNCTION_CALL'
  }
}
