/** Counts tokens roughly, for what is shown while an answer streams in: the bill brings the true count. */

/** Of English and of code. */
const CHARACTERS_PER_TOKEN = 4
const ASCII = 128

/** Counts a text that arrives in pieces. */
export class RoughTokens {
  #ascii = 0
  #others = 0

  add(text: string) {
    for (let at = 0; at < text.length; at++) {
      if (text.charCodeAt(at) < ASCII) this.#ascii++
      else this.#others++
    }
  }

  get tokens(): number {
    return Math.ceil(this.#ascii / CHARACTERS_PER_TOKEN) + this.#others
  }
}

export function roughTokens(text: string): number {
  const count = new RoughTokens()
  count.add(text)
  return count.tokens
}
