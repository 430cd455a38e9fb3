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

/** Of a longer text, one part in eight is counted: no model's context holds as much, and counting all blocks other calls. */
const SAMPLED_MIN = 1_048_576
const SAMPLE = 4096
const SAMPLE_EVERY = 8 * SAMPLE

/** Estimates the tokens of a text; used for reservations, and for bills when the upstream reports no usage. */
export function estimateTokens(text: string): number {
  const counter = new TokenCounter()
  if (text.length <= SAMPLED_MIN) {
    counter.add(text)
    return counter.tokens
  }
  let sampled = 0
  for (let from = 0; from < text.length; from += SAMPLE_EVERY) {
    const part = text.slice(from, from + SAMPLE)
    counter.add(part)
    sampled += part.length
  }
  return Math.ceil(counter.tokens * (text.length / sampled))
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
    let tokens = 0
    let kind = this.#kind
    // Subtracted from 0: the negative of 0 would make every length a floating-point number.
    let from = 0 - this.#length
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const next = code < ASCII ? kinds[code]! : foreign
      if (next === kind && kind < mark) continue
      tokens += tokensOf(kind, at - from)
      if (next === foreign) tokens += code >= FIRST_IDEOGRAPH ? 1 : 0.5
      kind = next
      from = at
    }
    this.#tokens += tokens
    this.#kind = kind
    this.#length = text.length - from
  }
}

/** Tokens of a run of characters of one kind; those beyond ASCII are counted one by one. */
function tokensOf(kind: number, length: number): number {
  if (kind === letter) return 1 + ((length - 1) >> 3)
  if (kind === blank) return length > 1 ? 1 : 0
  if (kind === digit) return Math.ceil(length / 3)
  return kind === mark ? length : 0
}
