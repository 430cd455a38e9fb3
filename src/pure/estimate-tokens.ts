/**
 * Token counts without a tokenizer: a word that is one token counts as one, every other character nearly as much as when
 * it stands alone. No arrangement of characters comes to much more than it is counted as.
 */
import { isKnown, LED, nextHash, SPACE, START, UNKNOWN } from './known-words.ts'
import { ASCII, costOf, kindOf, pairCostOf, repeatCostOf } from './token-costs.ts'

/** Parts of a token. */
const TOKEN = 64
/** Cost of an ASCII character that stands alone. */
const ALONE = 53
const APOSTROPHE = 39
/** Digits that share a token. */
const DIGITS = 3

// Kinds of characters; those from `MARK` on form words.
const BLANK = 0
const NEWLINE = 1
const DIGIT = 2
const WIDE = 3
const MARK = 4
const LOWER = 5
const UPPER = 6

/** @param cost of its characters */
const wordCost = (cost: number, hash: number): number => (cost > TOKEN && isKnown(hash) ? TOKEN : cost)

/** Estimates the tokens of a text; used for reservations, and for bills when the upstream reports no usage. */
export const estimateTokens = (text: string): number => estimateTexts([text])

/** The same for several texts, each counted for itself. */
export function estimateTexts(texts: readonly string[]): number {
  const counter = new TokenCounter()
  for (const text of texts) {
    counter.add(text)
    counter.end()
  }
  return counter.tokens
}

/** Counts a text that arrives in pieces. The result is that of the joined text, wherever it was cut. */
export class TokenCounter {
  /** Cost of all before the run of characters of one kind at the end, which the next piece may continue. */
  #counted = 0
  #kind = WIDE
  /** The character at the end. */
  #last = 0
  /** Of a word at the end: the cost of its characters, and its hash. */
  #cost = 0
  #hash = 0
  /** Cost of the blank at the end, which may belong to a word. */
  #blank = 0
  /** Digits of the token at the end. */
  #digits = 0
  /** An apostrophe behind a word begins the last run: 's and 're are tokens, also where letters follow them. */
  #is_suffix = false

  get tokens(): number {
    return Math.ceil((this.#counted + this.#run) / TOKEN)
  }

  add(text: string) {
    let counted = this.#counted
    let kind = this.#kind
    let last = this.#last
    let blank = this.#blank
    let cost = this.#cost
    let hash = this.#hash
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const next = kindOf[code]!
      if (kind >= MARK) {
        // Marks take the ends of lines with them.
        if (next === kind || (kind === UPPER && next === LOWER) || (kind === MARK && next === NEWLINE)) {
          hash = nextHash(hash, code)
          cost += (last | code) < ASCII ? pairCostOf[(last << 7) | code]! : costOf[code]!
          if (next === LOWER) kind = LOWER
          last = code
          continue
        }
        counted += wordCost(cost, hash)
      } else if (kind === WIDE && next === WIDE) {
        counted += costOf[code]!
        last = code
        continue
      }
      if (next >= MARK) {
        if (kind === BLANK && last === SPACE) {
          hash = nextHash(LED, code)
          cost = ALONE + (code < ASCII ? pairCostOf[(SPACE << 7) | code]! : costOf[code]!)
        } else {
          if (kind === BLANK) counted += costOf[last]!
          hash = nextHash(this.#is_suffix ? UNKNOWN : START, code)
          cost = costOf[code]!
        }
        this.#is_suffix = kind > MARK && code === APOSTROPHE
        blank = 0
      } else if (next === BLANK) {
        counted += blank
        blank = kind === BLANK && code === last ? repeatCostOf[code]! : costOf[code]!
      } else {
        counted +=
          this.#other(next, code, kind, last) + (kind === BLANK ? (next === NEWLINE ? blank : costOf[last]!) : 0)
        blank = 0
      }
      kind = next
      last = code
    }
    this.#counted = counted
    this.#kind = kind
    this.#last = last
    this.#blank = blank
    this.#cost = cost
    this.#hash = hash
  }

  /** The next piece begins another text. */
  end() {
    this.#counted += this.#run
    this.#kind = WIDE
    this.#last = 0
    this.#blank = 0
    this.#is_suffix = false
  }

  get #run(): number {
    return this.#kind >= MARK ? wordCost(this.#cost, this.#hash) : this.#blank
  }

  /** @returns the cost of a character outside words that is no blank */
  #other(next: number, code: number, kind: number, last: number): number {
    if (next === NEWLINE) return code === last ? repeatCostOf[code]! : costOf[code]!
    if (next !== DIGIT) return costOf[code]!
    this.#digits = kind === DIGIT ? (this.#digits + 1) % DIGITS : 0
    return this.#digits ? 0 : TOKEN
  }
}
