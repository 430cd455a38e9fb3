/** Cuts long texts into pieces that are counted one by one, where the count of the whole does not change. */

/** Characters: some milliseconds of counting. */
const PIECE = 65_536
/** Characters before the end of a piece in which a place for the cut is looked for. */
const SEARCHED = 1024

export function* piecesOf(text: string): Generator<string> {
  let from = 0
  while (text.length - from > PIECE) {
    const to = cutBefore(text, from + PIECE)
    yield text.slice(from, to)
    from = to
  }
  if (from < text.length) yield text.slice(from)
}

/** A blank between two words belongs to the second one: a token never reaches across it. */
function cutBefore(text: string, end: number): number {
  for (let at = end; at > end - SEARCHED; at--) {
    if (text[at] === ' ' && /\S/.test(text[at - 1]!) && /\S/.test(text[at + 1]!)) return at
  }
  return isSecondHalf(text.charCodeAt(end)) ? end - 1 : end
}

/** Second half of a character beyond 16 bits. */
const isSecondHalf = (code: number) => code >= 0xdc00 && code <= 0xdfff
