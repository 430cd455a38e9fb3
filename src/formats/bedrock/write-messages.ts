/**
 * Writes canonical messages as `messages`: user and assistant alternate, the first one is the user's.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html (read 2026-11)
 */
import type { ConverseTraits } from '../../models/converse.ts'
import type { ChatRequest } from '../canonical/chat.ts'
import type { ConverseMessage } from './wire.ts'
import { PartWriter, PLACEHOLDER } from './write-parts.ts'

export function writeMessages({ messages }: ChatRequest, traits: ConverseTraits): ConverseMessage[] {
  const writer = new PartWriter(traits)
  const written = messages
    .filter(({ role }) => role !== 'system')
    .map(
      ({ role, parts }): ConverseMessage => ({
        role: role === 'assistant' ? role : 'user',
        content: parts.flatMap(part => writer.write(part)),
      }),
    )
  const merged = alternating(written)
  if (merged[0]?.role !== 'user') merged.unshift({ role: 'user', content: [] })
  return merged.map(completed)
}

/** Merges neighbours of one role. */
function alternating(messages: ConverseMessage[]): ConverseMessage[] {
  const merged: ConverseMessage[] = []
  for (const { role, content } of messages) {
    const last = merged.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length || role === 'user') merged.push({ role, content: [...content] })
  }
  return merged
}

/** No message is empty, and a document stands beside a text. */
function completed({ role, content }: ConverseMessage): ConverseMessage {
  const hasDocument = content.some(block => 'document' in block)
  const isBare = !content.length || (hasDocument && !content.some(block => 'text' in block))
  return { role, content: isBare ? [...content, { text: PLACEHOLDER }] : content }
}
