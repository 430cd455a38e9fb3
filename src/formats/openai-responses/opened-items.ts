/**
 * Writes items as they begin: a tool call, a message, a thought, an image.
 * https://platform.openai.com/docs/api-reference/responses (read 2026-11)
 */
import type { ImagePart, ThinkingPart, ToolCall } from '../canonical/chat.ts'
import { dataOf } from '../media/data-url.ts'
import { wrap } from '../translate/signature.ts'
import type { ResponsesCall, ResponsesItem } from './wire.ts'

export const IN_PROGRESS = 'in_progress'
export const SEARCH_CALL = 'tool_search_call'

/** Gives the id of an item by its prefix. */
type IdFor = (prefix: string) => string

export function openedCall(
  { name, namespace, custom, finds_tools }: ToolCall,
  call_id: string,
  idFor: IdFor,
): ResponsesCall {
  if (finds_tools)
    return { type: SEARCH_CALL, id: idFor('tsc_'), call_id, execution: 'client', arguments: {}, status: IN_PROGRESS }
  const named = { call_id, name, namespace }
  if (custom) return { type: 'custom_tool_call', id: idFor('ctc_'), ...named, input: '' }
  return { type: 'function_call', id: idFor('fc_'), ...named, arguments: '', status: IN_PROGRESS }
}

export const openedMessage = (idFor: IdFor): ResponsesItem => ({
  type: 'message',
  id: idFor('msg_'),
  status: IN_PROGRESS,
  role: 'assistant',
  content: [],
})

export function openedReasoning(
  { signature, id }: Pick<ThinkingPart, 'signature' | 'id'>,
  idFor: IdFor,
): ResponsesItem {
  const encrypted_content = signature && wrap(signature, 'openai')
  return { type: 'reasoning', id: id ?? idFor('rs_'), summary: [], encrypted_content }
}

/** @returns undefined for an image that is not in the response itself */
export function openedImage({ source }: Pick<ImagePart, 'source'>, idFor: IdFor): ResponsesItem | undefined {
  const result = dataOf(source)?.data
  return result === undefined
    ? undefined
    : { type: 'image_generation_call', id: idFor('ig_'), status: 'completed', result }
}
