/**
 * Estimates the tokens of a text by its script, without a model's vocabulary: a word of up to eight letters, three
 * digits, a punctuation mark and a CJK character are one token each. Reservations use it, and bills of responses
 * without usage.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code >= ASCII) {
      tokens += code >= CJK_FIRST ? 1 : 0.5
      at++
      continue
    }
    const kind = kinds[code]!
    const from = at++
    if (kind !== mark) while (at < text.length && kinds[text.charCodeAt(at)] === kind) at++
    tokens += tokensOf(kind, at - from)
  }
  return Math.ceil(tokens)
}

/** Tokens of a run of characters of one kind. */
function tokensOf(kind: number, length: number): number {
  if (kind === letter) return 1 + ((length - 1) >> 3)
  if (kind === digit) return Math.ceil(length / 3)
  return kind === mark || length > 1 ? 1 : 0
}

/** The first CJK code unit. From here a code unit counts as one token; other non-ASCII ones count as half. */
const CJK_FIRST = 0x2e80

const ASCII = 128
const [letter, digit, blank, mark] = [0, 1, 2, 3]

const kinds = Uint8Array.from({ length: ASCII }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/i.test(character)) return letter
  if (/\d/.test(character)) return digit
  return /[\s\x00-\x1f]/.test(character) ? blank : mark
})
