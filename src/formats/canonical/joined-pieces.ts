/** Parts of the assistant that clients keep in the pieces in which a stream brought them. */
import type { Part, TextPart, ThinkingPart } from './chat.ts'

/** Joins the pieces of one thought, or of one text. A signature ends a part and has a piece of its own, without text. */
export function joinedPieces(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.kind === 'text' && last?.kind === 'text' && isNextPiece(last, part))
      joined[joined.length - 1] = { ...part, text: last.text + part.text }
    else if (part.kind === 'thinking' && last?.kind === 'thinking' && isNextPiece(last, part))
      joined[joined.length - 1] = { ...part, text: last.text + part.text }
    else joined.push(part)
  }
  return joined
}

function isNextPiece(last: TextPart | ThinkingPart, { text, signature }: TextPart | ThinkingPart): boolean {
  if (last.signature || signature?.redacted) return false
  return !signature || !text
}
