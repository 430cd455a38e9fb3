/** Maps the end of a response to the canonical finish reason. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/jlil56u11 (read 2026-11) */
import type { Finish, FinishReason } from '../canonical/chat.ts'
import { entryOf, type UnreadFields } from '../json/lenient-json.ts'
import type { WenxinResponse } from './wire.ts'

const reasons: Record<string, FinishReason> = {
  normal: 'stop',
  stop: 'stop',
  length: 'length',
  function_call: 'tool_calls',
  content_filter: 'filter',
}

/** A history that is to be cleared contains what the provider refuses. */
export function readFinish(
  { finish_reason, is_truncated, need_clear_history }: UnreadFields<WenxinResponse>,
  called: boolean,
): Finish {
  const reason = entryOf(reasons, finish_reason) ?? 'stop'
  if (reason !== 'stop') return { reason }
  if (is_truncated === true) return { reason: 'length' }
  if (need_clear_history === true) return { reason: 'filter' }
  return { reason: called ? 'tool_calls' : 'stop' }
}
