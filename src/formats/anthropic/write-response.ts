/**
 * Writes a ChatResponse as the response body of POST /v1/messages.
 * https://docs.anthropic.com/en/api/messages (read 2026-11)
 */
import type { ChatResponse, Citation, ResponsePart, Signature } from '../canonical/chat.ts'
import { usageOf } from '../canonical/chat.ts'
import { partId, responseId } from '../canonical/ids.ts'
import type { ResponseLabel } from '../format.ts'
import { parsedObject } from '../json/lenient-json.ts'
import { wrap } from '../translate/signature.ts'
import { writeCitation } from './citations.ts'
import { writeFinish } from './finish-reason.ts'
import { writeUsage } from './usage.ts'
import type {
  AnthropicBlock,
  AnthropicCall,
  AnthropicHead,
  AnthropicResponse,
  AnthropicText,
  AnthropicThought,
} from './wire.ts'

/** The format has one choice, and no request of it asks for more. */
export function writeResponse({ id, choices, usage }: ChatResponse, label: ResponseLabel): AnthropicResponse {
  const { parts, finish } = choices[0] ?? { parts: [], finish: { reason: 'stop' } as const }
  return {
    ...writeHead(id, label),
    content: parts.flatMap((part, index) => writePart(part, partId('toolu_', label, index))),
    stop_reason: writeFinish(finish, hasRefusal(parts)),
    stop_sequence: finish.sequence ?? null,
    usage: writeUsage(usage ?? usageOf()),
  }
}

export const writeHead = (id: string, label: ResponseLabel): AnthropicHead => ({
  id: responseId('msg_', id, label),
  type: 'message',
  role: 'assistant',
  model: label.request.model,
})

const hasRefusal = (parts: ResponsePart[]): boolean => parts.some(({ kind }) => kind === 'refusal')

/** @param id for a tool call without id */
function writePart(part: ResponsePart, id: string): AnthropicBlock[] {
  switch (part.kind) {
    case 'text':
      return part.text ? [{ type: 'text', text: part.text, ...writeCitations(part.citations) }] : []
    case 'refusal':
      return [{ type: 'text', text: part.text }]
    case 'thinking':
      return [part.signature?.redacted ? writeRedactedBlock(part.signature) : writeThinkingBlock(part)]
    case 'tool_call': {
      const call: AnthropicCall = {
        type: 'tool_use',
        id: part.id || id,
        name: part.name,
        input: parsedObject(part.arguments),
      }
      return part.signature ? [writeThinkingBlock({ text: '', signature: part.signature }), call] : [call]
    }
    case 'native':
      return [part.value as AnthropicBlock]
    case 'image':
    case 'audio':
      return []
  }
}

/** Another provider's data is marked as such. */
export const writeRedactedBlock = (signature: Signature): AnthropicThought => ({
  type: 'redacted_thinking',
  data: signature.owner === 'anthropic' ? signature.value : wrap(signature, 'anthropic'),
})

/**
 * A tool use block has no signature. Gemini's signature of a tool call travels in an empty thinking block before it.
 */
export const writeThinkingBlock = ({
  text,
  signature,
}: Pick<ResponsePart & { kind: 'thinking' }, 'text' | 'signature'>): AnthropicThought => ({
  type: 'thinking',
  thinking: text,
  signature: signature ? wrap(signature, 'anthropic') : '',
})

function writeCitations(citations: Citation[] = []): Pick<AnthropicText, 'citations'> {
  const blocks = citations.flatMap(citation => writeCitation(citation) ?? [])
  return blocks.length ? { citations: blocks } : {}
}
