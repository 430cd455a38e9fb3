/**
 * Maps `stop_reason` and `stop_sequence` to and from the canonical finish reason.
 * https://docs.anthropic.com/en/api/messages (read 2026-11)
 */
import type { Finish, FinishReason } from '../canonical/chat.ts'
import { entryOf, textOf } from '../json/lenient-json.ts'

const reasons: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop_sequence',
  max_tokens: 'length',
  model_context_window_exceeded: 'context_full',
  tool_use: 'tool_calls',
  pause_turn: 'pause',
  refusal: 'refusal',
}

export function readFinish(stop_reason: unknown, stop_sequence: unknown): Finish {
  const value = textOf(stop_reason)
  const reason = entryOf(reasons, value)
  const sequence = textOf(stop_sequence)
  return {
    reason: reason ?? 'stop',
    ...(sequence && { sequence }),
    ...(!reason && value && { native: { format: 'anthropic', value } as const }),
  }
}

/** @param refused whether the response has a refusal part */
export function writeFinish({ reason, native }: Finish, refused: boolean): string {
  if (native?.format === 'anthropic') return native.value
  switch (reason) {
    case 'stop':
      return refused ? 'refusal' : 'end_turn'
    case 'broken_call':
      return 'end_turn'
    case 'stop_sequence':
      return 'stop_sequence'
    case 'length':
      return 'max_tokens'
    case 'context_full':
      return 'model_context_window_exceeded'
    case 'tool_calls':
      return 'tool_use'
    case 'pause':
      return 'pause_turn'
    case 'filter':
    case 'refusal':
      return 'refusal'
  }
}
