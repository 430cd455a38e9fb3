/** Writes a ChatRequest as a question; the provider adds the id of the knowledge base. https://docs.aiproxy.io/dev/library (read 2026-11) */
import type { ChatRequest } from '../canonical/chat.ts'
import { PLACEHOLDER, textIn } from '../canonical/text-turns.ts'
import { jsonInstruction } from '../json/json-instruction.ts'
import type { LibraryBody } from './wire.ts'

export function writeRequest({ model, stream, messages, output }: ChatRequest): LibraryBody {
  const question = messages.findLast(({ role, parts }) => role === 'user' && textIn(parts))
  const demand = output && output.kind !== 'text' ? jsonInstruction(output) : ''
  const query = [textIn(question?.parts ?? []), demand].filter(Boolean).join('\n')
  return { model, stream, query: query || PLACEHOLDER }
}
