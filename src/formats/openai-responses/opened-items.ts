/** Writes items as they begin: a tool call, a message. https://platform.openai.com/docs/api-reference/responses (read 2026-11) */
import type { ToolCall } from '../canonical/chat.ts'
import type { ResponsesCall, ResponsesItem } from './wire.ts'

export const IN_PROGRESS = 'in_progress'
export const SEARCH_CALL = 'tool_search_call'

/** @param idFor gives the id of an item by its prefix */
export function openedCall(
  { name, namespace, custom, finds_tools }: ToolCall,
  call_id: string,
  idFor: (prefix: string) => string,
): ResponsesCall {
  if (finds_tools)
    return { type: SEARCH_CALL, id: idFor('tsc_'), call_id, execution: 'client', arguments: {}, status: IN_PROGRESS }
  const named = { call_id, name, namespace }
  if (custom) return { type: 'custom_tool_call', id: idFor('ctc_'), ...named, input: '' }
  return { type: 'function_call', id: idFor('fc_'), ...named, arguments: '', status: IN_PROGRESS }
}

export const openedMessage = (id: string): ResponsesItem => ({
  type: 'message',
  id,
  status: IN_PROGRESS,
  role: 'assistant',
  content: [],
})
