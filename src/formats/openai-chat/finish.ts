/** Finish reasons of OpenAI chat. https://platform.openai.com/docs/api-reference/chat/object (read 2026-11) */
import type { ApiError, Finish, FinishReason } from '../canonical/chat.ts'
import { entryOf } from '../json/lenient-json.ts'

/** OpenAI's reasons, and those of other providers that use its format. */
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

/** Reasons that mean a failure. DeepSeek: https://api-docs.deepseek.com/api/create-chat-completion (read 2026-11) */
const broken = new Set(['error', 'insufficient_system_resource'])

export const brokenOff = (word: unknown): ApiError | undefined =>
  typeof word === 'string' && broken.has(word)
    ? { status: 503, message: `The model was broken off: ${word}`, type: 'server_error', code: word, param: null }
    : undefined

/** Some providers end a response that contains a tool call with `stop`. */
export function readFinish(word: unknown, called: boolean): Finish {
  const reason = entryOf(reasons, word) ?? 'stop'
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
