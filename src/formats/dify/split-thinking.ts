/**
 * Splits the text of an answer at the thoughts in it: Dify shows those of a model as a block that opens and closes, newer
 * versions between `<think>` and `</think>`. https://docs.dify.ai/en/guides/workflow/node/llm (read 2026-11)
 */

export interface Piece {
  kind: 'text' | 'thinking'
  text: string
}

const opening = /^(?:<think>|<details[^<>]*>\s*<summary>\s*Thinking(?:\.\.\.|…)?\s*<\/summary>)\s*/
/** What may still become an opening. */
const openingBegun =
  /^<(?:t?|th|thi|thin|think|d|de|det|deta|detai|detail|details[^<>]*(?:>\s*(?:<(?:s(?:u(?:m(?:m(?:a(?:r(?:y(?:>[^<>]*(?:<[/a-z]*)?)?)?)?)?)?)?)?)?)?)?)$/
const closings = { '<think>': '</think>', '<details': '</details>' } as const
/** No opening is longer. */
const OPENING_MAX = 400

export class ThinkingSplitter {
  #pending = ''
  /** The end of the thought that is open. */
  #closing: string | undefined
  /** Blanks between a thought and the answer belong to neither. */
  #skips_blanks = false

  push(text: string): Piece[] {
    this.#pending += text
    const pieces: Piece[] = []
    while (this.#pending) if (!(this.#closing ? this.#think(pieces) : this.#read(pieces))) break
    return pieces
  }

  /** @returns what might have been the beginning of a mark */
  end(): Piece[] {
    const text = this.#pending
    this.#pending = ''
    return text ? [{ kind: this.#closing ? 'thinking' : 'text', text }] : []
  }

  /** @returns false while more must come */
  #read(pieces: Piece[]): boolean {
    if (this.#skips_blanks) {
      this.#pending = this.#pending.trimStart()
      if (!this.#pending) return false
      this.#skips_blanks = false
    }
    const at = this.#pending.indexOf('<')
    if (at !== 0) return this.#pass(pieces, 'text', at < 0 ? this.#pending.length : at)
    const found = opening.exec(this.#pending)
    // Blanks after the mark may still come.
    if (found && found[0].length < this.#pending.length) {
      this.#closing = this.#pending.startsWith('<think>') ? closings['<think>'] : closings['<details']
      this.#pending = this.#pending.slice(found[0].length)
      return true
    }
    if (this.#pending.length < OPENING_MAX && (found || openingBegun.test(this.#pending))) return false
    return this.#pass(pieces, 'text', 1)
  }

  #think(pieces: Piece[]): boolean {
    const closing = this.#closing!
    const end = this.#pending.indexOf(closing)
    if (end >= 0) {
      this.#pass(pieces, 'thinking', end)
      this.#pending = this.#pending.slice(closing.length)
      this.#closing = undefined
      this.#skips_blanks = true
      return true
    }
    const last = this.#pending.lastIndexOf('<')
    const mayClose = last >= 0 && closing.startsWith(this.#pending.slice(last))
    this.#pass(pieces, 'thinking', mayClose ? last : this.#pending.length)
    return false
  }

  #pass(pieces: Piece[], kind: Piece['kind'], length: number): boolean {
    const text = this.#pending.slice(0, length)
    this.#pending = this.#pending.slice(length)
    const before = pieces.at(-1)
    if (before?.kind === kind) before.text += text
    else if (text) pieces.push({ kind, text })
    return true
  }
}
