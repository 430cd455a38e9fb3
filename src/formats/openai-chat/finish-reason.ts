/**
 * Maps `finish_reason` to and from the canonical finish reason.
 * https://platform.openai.com/docs/api-reference/chat (read 2026-11)
 */
import type { ApiError, Finish, FinishReason } from '../canonical/chat.ts'
import { entryOf } from '../json/lenient-json.ts'

/** Values of OpenAI and of compatible servers. */
const reasons: Record<string, FinishReason> = {
  stop: 'stop',
  eos: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop_sequence',
  length: 'length',
  max_tokens: 'length',
  model_length: 'context_full',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  tool_use: 'tool_calls',
  content_filter: 'filter',
  sensitive: 'filter',
  refusal: 'refusal',
}

/** Values by which compatible servers report that the generation failed. */
const failures = new Set(['error', 'insufficient_system_resource'])

export const generationError = (value: unknown): ApiError | undefined =>
  typeof value === 'string' && failures.has(value)
    ? { status: 503, message: `The model was broken off: ${value}`, type: 'server_error', code: value, param: null }
    : undefined

/** Some servers finish tool calls with `stop`; clients wait for `tool_calls`. */
export function readFinish(value: unknown, called: boolean): Finish {
  const reason = entryOf(reasons, value) ?? 'stop'
  return { reason: reason === 'stop' && called ? 'tool_calls' : reason }
}

export function writeFinish({ reason }: Finish): string {
  switch (reason) {
    case 'stop':
    case 'stop_sequence':
    case 'pause':
    case 'broken_call':
      return 'stop'
    case 'length':
    case 'context_full':
      return 'length'
    case 'tool_calls':
      return 'tool_calls'
    case 'filter':
    case 'refusal':
      return 'content_filter'
  }
}
