/** Conversations of nothing but texts, for formats that know no other. */
import { plainText } from '../media/plain-text.ts'
import type { ChatMessage, ChatRequest, Part } from './chat.ts'

export interface TextTurn {
  role: 'user' | 'assistant'
  text: string
}

/** Text of a turn that must exist and has none. */
export const PLACEHOLDER = '...'

/** The assistant's reply to instructions, for models that accept them only as a turn of the user. */
export const ACKNOWLEDGED = 'Okay'

/** Starts and ends with the user; roles alternate. */
export function textTurns(messages: ChatMessage[]): TextTurn[] {
  const turns: TextTurn[] = []
  for (const { role, parts } of messages) {
    const text = textIn(parts)
    if (role !== 'system' && text) addTurn(turns, { role, text })
  }
  if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', text: PLACEHOLDER })
  if (turns.at(-1)!.role !== 'user') turns.push({ role: 'user', text: PLACEHOLDER })
  return turns
}

function addTurn(turns: TextTurn[], turn: TextTurn) {
  const last = turns.at(-1)
  if (last?.role === turn.role) last.text += `\n${turn.text}`
  else turns.push(turn)
}

/** @returns the texts in parts, one on each line; documents of plain text are texts */
export const textIn = (parts: readonly Part[]): string => parts.flatMap(part => textOf(part) || []).join('\n')

function textOf(part: Part): string {
  if (part.kind === 'text' || part.kind === 'refusal') return part.text
  if (part.kind !== 'file') return ''
  const text = plainText(part.source) ?? ''
  return [part.context, part.name, text].filter(Boolean).join('\n\n')
}

/** @returns the instructions before and inside the conversation, one on each line */
export const instructionsOf = ({ system, messages }: Pick<ChatRequest, 'system' | 'messages'>): string =>
  textIn([...system, ...messages.filter(({ role }) => role === 'system').flatMap(({ parts }) => parts)])
