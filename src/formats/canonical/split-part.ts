import type { Delta, ResponsePart } from './chat.ts'

/** A whole part as a stream tells it: how it begins, with nothing in it that can come later, and what is then added. */
export function splitPart(part: ResponsePart): { opening: ResponsePart; deltas: Delta[] } {
  switch (part.kind) {
    case 'text': {
      const { text, citations = [], signature } = part
      const deltas = [...said(text), ...citations.map(citation => ({ citation })), ...signed(signature)]
      return { opening: { kind: 'text', text: '' }, deltas }
    }
    case 'thinking': {
      const { text, signature, ...rest } = part
      // There is nothing of a redacted thought but its signature, and that decides what it begins as.
      if (signature?.redacted) return { opening: part, deltas: [] }
      return { opening: { ...rest, text: '' }, deltas: [...said(text), ...signed(signature)] }
    }
    case 'refusal':
      return { opening: { kind: 'refusal', text: '' }, deltas: said(part.text) }
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

const said = (text: string): Delta[] => (text ? [{ text }] : [])
const signed = (signature: (ResponsePart & { kind: 'text' })['signature']): Delta[] =>
  signature ? [{ signature }] : []
