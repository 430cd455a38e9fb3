import type { Json } from '../../pure/json.ts'
import type { ChatResponse, Citation, ResponsePart } from '../canonical/chat.ts'
import { usageOf } from '../canonical/chat.ts'
import { partId, responseId } from '../canonical/ids.ts'
import type { ResponseLabel } from '../format.ts'
import { parsedObject } from '../json/lenient-json.ts'
import { wrap } from '../translate/signature.ts'
import { writeCitation } from './citations.ts'
import { writeFinish } from './finish.ts'
import { writeUsage } from './usage.ts'

/** There is one choice here; no request of this format asks for more. */
export function writeResponse({ id, choices, usage }: ChatResponse, label: ResponseLabel): Json {
  const { parts, finish } = choices[0] ?? { parts: [], finish: { reason: 'stop' } as const }
  return {
    ...writeHead(id, label),
    content: parts.flatMap((part, index) => writePart(part, partId('toolu_', label, index))),
    stop_reason: writeFinish(finish, hasRefusal(parts)),
    stop_sequence: finish.sequence ?? null,
    usage: writeUsage(usage ?? usageOf()),
  }
}

export const writeHead = (id: string, label: ResponseLabel): Json => ({
  id: responseId('msg_', id, label),
  type: 'message',
  role: 'assistant',
  model: label.request.model,
})

const hasRefusal = (parts: ResponsePart[]): boolean => parts.some(({ kind }) => kind === 'refusal')

/** @param id for a call that has none */
function writePart(part: ResponsePart, id: string): Json[] {
  switch (part.kind) {
    case 'text':
      return part.text ? [{ type: 'text', text: part.text, ...writeCitations(part.citations) }] : []
    case 'refusal':
      return [{ type: 'text', text: part.text }]
    case 'thinking':
      return [part.signature?.redacted ? writeRedacted(part.signature.value) : writeThought(part)]
    case 'tool_call': {
      const call = { type: 'tool_use', id: part.id || id, name: part.name, input: parsedObject(part.arguments) }
      return part.signature ? [writeThought({ text: '', signature: part.signature }), call] : [call]
    }
    case 'native':
      return [part.value]
    case 'image':
    case 'audio':
      return []
  }
}

export const writeRedacted = (data: string): Json => ({ type: 'redacted_thinking', data })

/** Gemini's signature of a call has no place of its own here: it goes before the call as a thought without words. */
export const writeThought = ({
  text,
  signature,
}: Pick<ResponsePart & { kind: 'thinking' }, 'text' | 'signature'>): Json => ({
  type: 'thinking',
  thinking: text,
  signature: signature ? wrap(signature, 'anthropic') : '',
})

function writeCitations(citations: Citation[] = []): Json {
  const written = citations.flatMap(citation => writeCitation(citation) ?? [])
  return written.length ? { citations: written } : {}
}
