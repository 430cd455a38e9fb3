import type { Finish, FinishReason } from '../canonical/chat.ts'
import { entryOf } from '../json/lenient-json.ts'

/** Gemini has many words for what others call a filter. */
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

/** There is no word for calling a tool: it is seen from the parts. */
export function readFinish(word: string, called: boolean): Finish {
  const reason = entryOf(reasons, word) ?? 'filter'
  if (reason === 'stop' && called) return { reason: 'tool_calls' }
  return word === writeFinish({ reason }, false) ? { reason } : { reason, native: { format: 'gemini', word } }
}

/** @param refused whether the answer says in words that there is none */
export function writeFinish({ reason, native }: Finish, refused: boolean): string {
  if (native?.format === 'gemini') return native.word
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
