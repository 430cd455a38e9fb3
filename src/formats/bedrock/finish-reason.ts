/**
 * Maps `stopReason` to the canonical finish reason.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (read 2026-11)
 */
import type { Finish, FinishReason } from '../canonical/chat.ts'
import { entryOf, textOf } from '../json/lenient-json.ts'

const reasons: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop_sequence',
  max_tokens: 'length',
  model_context_window_exceeded: 'context_full',
  tool_use: 'tool_calls',
  guardrail_intervened: 'filter',
  content_filtered: 'filter',
  malformed_tool_use: 'broken_call',
  malformed_model_output: 'broken_call',
}

export function readFinish(stopReason: unknown): Finish {
  const value = textOf(stopReason)
  const reason = entryOf(reasons, value)
  return { reason: reason ?? 'stop', ...(!reason && value && { native: { format: 'bedrock', value } as const }) }
}
