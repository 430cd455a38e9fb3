/** Token counts without a tokenizer: a word of up to eight letters, three digits, a mark, a Chinese character count as one. */

/** From this code on, each character is a syllable or word of its own. */
const FIRST_IDEOGRAPH = 0x2e80

const ASCII = 128
const [letter, digit, blank, mark, foreign] = [0, 1, 2, 3, 4]

const kinds = Uint8Array.from({ length: ASCII }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/i.test(character)) return letter
  if (/\d/.test(character)) return digit
  return /[\s\x00-\x1f]/.test(character) ? blank : mark
})

/** Estimates the tokens of a text; used for reservations, and for bills when the upstream reports no usage. */
export function estimateTokens(text: string): number {
  const counter = new TokenCounter()
  counter.add(text)
  return counter.tokens
}

/** Counts a text that arrives in pieces. The result is that of the joined text, wherever it was cut. */
export class TokenCounter {
  #tokens = 0
  /** The kind and length of the run of characters at the end, which the next piece may continue. */
  #kind = blank
  #length = 0

  get tokens(): number {
    return Math.ceil(this.#tokens + tokensOf(this.#kind, this.#length))
  }

  add(text: string) {
    let at = endOfRun(text, 0, this.#kind)
    this.#length += at
    if (at === text.length) return
    let tokens = tokensOf(this.#kind, this.#length)
    let kind = blank
    let from = at
    while (at < text.length) {
      const code = text.charCodeAt(at)
      from = at++
      if (code >= ASCII) {
        tokens += code >= FIRST_IDEOGRAPH ? 1 : 0.5
        kind = foreign
        continue
      }
      kind = kinds[code]!
      at = endOfRun(text, at, kind)
      if (at < text.length) tokens += tokensOf(kind, at - from)
    }
    this.#tokens += tokens
    this.#kind = kind
    this.#length = at - from
  }
}

/** @returns the index behind the characters that continue a run of this kind */
function endOfRun(text: string, from: number, kind: number): number {
  let at = from
  if (kind < mark) while (at < text.length && kinds[text.charCodeAt(at)] === kind) at++
  return at
}

/** Tokens of a run of characters of one kind; those beyond ASCII are counted one by one. */
function tokensOf(kind: number, length: number): number {
  if (kind === letter) return 1 + ((length - 1) >> 3)
  if (kind === blank) return length > 1 ? 1 : 0
  if (kind === digit) return Math.ceil(length / 3)
  return kind === mark ? length : 0
}
