/** A text that grows by pieces: estimated at every piece, and kept, in bounded memory, for the tokenizer. */
import { TokenCounter } from '../pure/estimate-tokens.ts'
import type { Countable } from './format.ts'

/** What is kept of one text, some 64,000 tokens; the rest is estimated. Long streams are many, and most report their usage. */
const KEPT_MAX_BYTES = 262_144
/** Characters that are counted and written at once: short pieces cost more each than together. */
const BATCH = 64
const START_BYTES = 256
const UTF8_MAX_BYTES = 3
const none = Buffer.alloc(0)

export class GrowingText {
  readonly #counter = new TokenCounter()
  /** UTF-8. A string would keep the event that each piece was cut from in memory. */
  #bytes = none
  #size = 0
  /** Pieces that are not in `#bytes` yet. */
  #tail = ''
  /** Characters of the tail that are counted. */
  #counted = 0
  /** Estimated tokens of what is kept, once the text has outgrown it. */
  #kept_tokens: number | undefined

  add(piece: string): void {
    const room = KEPT_MAX_BYTES - this.#size
    if (this.#kept_tokens !== undefined) this.#counter.add(piece)
    else if (piece.length > room) {
      this.add(piece.slice(0, room))
      this.add(piece.slice(room))
    } else {
      this.#tail += piece
      if (this.#tail.length >= BATCH) this.#write()
    }
  }

  #count() {
    if (this.#counted === this.#tail.length) return
    this.#counter.add(this.#tail.slice(this.#counted))
    this.#counted = this.#tail.length
  }

  #write() {
    this.#count()
    // The second half of a character may be in the next piece.
    const end = isFirstHalf(this.#tail.charCodeAt(this.#tail.length - 1)) ? -1 : this.#tail.length
    const text = this.#tail.slice(0, end)
    this.#tail = this.#tail.slice(end)
    this.#counted = this.#tail.length
    const needed = this.#size + text.length * UTF8_MAX_BYTES
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(
        Math.max(START_BYTES, needed, Math.min(this.#bytes.length * 2, KEPT_MAX_BYTES)),
      )
      this.#bytes.copy(larger, 0, 0, this.#size)
      this.#bytes = larger
    }
    this.#size += this.#bytes.write(text, this.#size)
    if (this.#size >= KEPT_MAX_BYTES) this.#kept_tokens = this.#counter.tokens
  }

  /** Estimated. */
  get tokens(): number {
    this.#count()
    return this.#counter.tokens
  }

  /** What is kept. */
  get text(): string {
    return this.#bytes.toString('utf8', 0, this.#size) + this.#tail
  }

  /** Estimated tokens of what is not in `text`. */
  get rest(): number {
    return this.#kept_tokens === undefined ? 0 : this.tokens - this.#kept_tokens
  }
}

/** First half of a character beyond 16 bits. */
const isFirstHalf = (code: number) => code >= 0xd800 && code <= 0xdbff

export const countableTexts = (texts: GrowingText[]): Countable => ({
  texts: texts.map(({ text }) => text),
  tokens: texts.reduce((sum, { rest }) => sum + rest, 0),
})
