/**
 * Writes canonical messages as `messages`: user and assistant alternate, and a result of a function stands in place of
 * the user. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/jlil56u11 (read 2026-11)
 */
import type { ChatMessage, ChatRequest, ToolCall, ToolResult } from '../canonical/chat.ts'
import { PLACEHOLDER, textIn } from '../canonical/text-turns.ts'
import type { WenxinMessage } from './wire.ts'

export function writeMessages({ messages }: Pick<ChatRequest, 'messages'>): WenxinMessage[] {
  const results = new Map(messages.flatMap(resultsIn).map(result => [result.id, result]))
  const called = new Set(messages.flatMap(callsIn).map(({ id }) => id))
  const written = messages.flatMap(message =>
    message.role === 'assistant' ? writeAssistant(message, results) : writeUser(message, called),
  )
  return alternating(written)
}

const callsIn = ({ parts }: ChatMessage) => parts.filter((part): part is ToolCall => part.kind === 'tool_call')
const resultsIn = ({ parts }: ChatMessage) => parts.filter((part): part is ToolResult => part.kind === 'tool_result')

/** A message has one call at most: each result follows its call. */
function writeAssistant(message: ChatMessage, results: Map<string, ToolResult>): WenxinMessage[] {
  const content = textIn(message.parts)
  const calls = callsIn(message)
  if (!calls.length) return content ? [{ role: 'assistant', content }] : []
  return calls.flatMap(({ id, name, arguments: text }, index): WenxinMessage[] => [
    { role: 'assistant', content: index ? '' : content, function_call: { name, arguments: text || '{}' } },
    { role: 'function', name, content: textIn(results.get(id)?.parts ?? []) || PLACEHOLDER },
  ])
}

/** Results stand behind their calls; those of unknown calls are texts. */
function writeUser(message: ChatMessage, called: ReadonlySet<string>): WenxinMessage[] {
  if (message.role === 'system') return []
  const orphans = resultsIn(message).filter(({ id }) => !called.has(id))
  const content = [...orphans.map(({ parts }) => textIn(parts)), textIn(message.parts)].filter(Boolean).join('\n')
  return content ? [{ role: 'user', content }] : []
}

function alternating(messages: WenxinMessage[]): WenxinMessage[] {
  const result: WenxinMessage[] = []
  for (const message of messages) {
    const last = result.at(-1)
    const isSame = (last?.role === 'assistant') === (message.role === 'assistant')
    if (last && isSame && last.role === message.role && !last.function_call && message.role !== 'function')
      result[result.length - 1] = { ...message, content: [last.content, message.content].filter(Boolean).join('\n') }
    else {
      if (isSame || !last) result.push(...between(last, message))
      result.push(message)
    }
  }
  if (result.at(-1)?.role !== 'user' && result.at(-1)?.role !== 'function')
    result.push({ role: 'user', content: PLACEHOLDER })
  return result
}

/** The message that keeps the roles alternating. */
function between(last: WenxinMessage | undefined, next: WenxinMessage): WenxinMessage[] {
  if (next.role === 'assistant') return [{ role: 'user', content: PLACEHOLDER }]
  return last ? [{ role: 'assistant', content: PLACEHOLDER }] : []
}
