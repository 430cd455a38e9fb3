/** Parts of the assistant that clients keep in the pieces in which a stream brought them. */
import type { Part } from './chat.ts'

/** Joins the pieces of one thought, or of one text. A signature ends a part; its piece may have no text. */
export function joinedPieces(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.kind === 'text' && last?.kind === 'text' && !last.signature)
      joined[joined.length - 1] = { ...part, text: last.text + part.text }
    else if (part.kind === 'thinking' && last?.kind === 'thinking' && !last.signature && !part.signature?.redacted)
      joined[joined.length - 1] = { ...part, text: last.text + part.text }
    else joined.push(part)
  }
  return joined
}
