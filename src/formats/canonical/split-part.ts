/** Splits a whole part into its opening and its deltas. */
import type { Delta, ResponsePart } from './chat.ts'

export function splitPart(part: ResponsePart): { opening: ResponsePart; deltas: Delta[] } {
  switch (part.kind) {
    case 'text': {
      const { text, citations = [], signature } = part
      const deltas = [...textDeltas(text), ...citations.map(citation => ({ citation })), ...signatureDeltas(signature)]
      return { opening: { kind: 'text', text: '' }, deltas }
    }
    case 'thinking': {
      const { text, signature, ...rest } = part
      // A redacted thought has only a signature, and the signature decides the kind of its block.
      if (signature?.redacted) return { opening: part, deltas: [] }
      return { opening: { ...rest, text: '' }, deltas: [...textDeltas(text), ...signatureDeltas(signature)] }
    }
    case 'refusal':
      return { opening: { kind: 'refusal', text: '' }, deltas: textDeltas(part.text) }
    case 'tool_call':
      return { opening: { ...part, arguments: '' }, deltas: part.arguments ? [{ arguments: part.arguments }] : [] }
    case 'audio': {
      const { source, transcript } = part
      if (source.via !== 'base64') return { opening: part, deltas: [] }
      const deltas = [{ audio: source.data }, ...(transcript ? [{ transcript }] : [])]
      return { opening: { kind: 'audio', source: { ...source, data: '' } }, deltas }
    }
    case 'image':
    case 'native':
      return { opening: part, deltas: [] }
  }
}

const textDeltas = (text: string): Delta[] => (text ? [{ text }] : [])
const signatureDeltas = (signature: (ResponsePart & { kind: 'text' })['signature']): Delta[] =>
  signature ? [{ signature }] : []
