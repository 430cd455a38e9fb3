/** Conversations for formats whose roles alternate: the instructions stand before them, the user begins and ends. */
import { jsonInstruction } from '../json/json-instruction.ts'
import type { ChatMessage, ChatRequest } from './chat.ts'

/** Text of a message that must exist and has no content. */
export const PLACEHOLDER = '...'

/** The instructions of a whole request, one on each line. @param asks_json the format cannot ask for JSON otherwise */
export function instructionsOf({ system, messages, output }: ChatRequest, asks_json: boolean): string {
  const later = messages.filter(({ role }) => role === 'system').flatMap(({ parts }) => parts)
  const texts = [...system, ...later].flatMap(part => (part.kind === 'text' ? part.text : []))
  if (asks_json && output && output.kind !== 'text') texts.push(jsonInstruction(output))
  return texts.filter(text => text.trim()).join('\n')
}

/** Joins neighbours of one role. The first message and the last one are the user's. */
export function alternating(messages: readonly ChatMessage[]): ChatMessage[] {
  const joined: ChatMessage[] = []
  for (const { role, parts } of messages) {
    const last = joined.at(-1)
    if (role === 'system' || (role === 'assistant' && !parts.length)) continue
    if (last?.role === role) last.parts = [...last.parts, ...parts]
    else joined.push({ role, parts })
  }
  if (joined[0]?.role !== 'user') joined.unshift(nothing)
  return joined.at(-1)!.role === 'user' ? joined : [...joined, nothing]
}

const nothing: ChatMessage = { role: 'user', parts: [{ kind: 'text', text: PLACEHOLDER }] }
