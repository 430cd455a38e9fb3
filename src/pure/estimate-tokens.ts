/**
 * Token counts without a tokenizer: a word that is one token counts as one, every other character nearly as much as when
 * it stands alone. No arrangement of characters comes to much more than it is counted as.
 */
import { costOf, kindOf, pairCostOf, repeatCostOf, words } from './token-costs.ts'

/** Parts of a token. */
const TOKEN = 64
/** Cost of an ASCII character that stands alone. */
const ALONE = 53
const ASCII = 128
const SPACE = 32
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

/** A word has two hashes, the place and the check. They are random: no text can be written whose words collide. */
const [start, place_factor, check_factor] = crypto.getRandomValues(new Int32Array(3))
const START = start!
const PLACE_FACTOR = place_factor! | 1
const CHECK_FACTOR = check_factor! | 1
/** The hashes of a space before a word. */
const LED = Math.imul(START ^ SPACE, PLACE_FACTOR)
const LED_CHECK = Math.imul(START ^ SPACE, CHECK_FACTOR)
/** A start that no known word has. */
const UNKNOWN = ~START

/** The checks of known words, each at its place or behind; a third of the places is used. */
const BITS = 17
const table = new Int32Array(1 << BITS)
const LAST_PLACE = table.length - 1
const SHIFT = 32 - BITS

for (const word of words()) {
  let [hash, check] = [START, START]
  for (let at = 0; at < word.length; at++) {
    hash = Math.imul(hash ^ word.charCodeAt(at), PLACE_FACTOR)
    check = Math.imul(check ^ word.charCodeAt(at), CHECK_FACTOR)
  }
  table[placeOf(hash, check | 1)] = check | 1
}

/** @returns the place of the word, or the free one where it belongs */
function placeOf(hash: number, check: number): number {
  let place = hash >>> SHIFT
  while (table[place] !== 0 && table[place] !== check) place = (place + 1) & LAST_PLACE
  return place
}

/** @param cost of its characters */
const wordCost = (cost: number, hash: number, check: number): number =>
  cost > TOKEN && table[placeOf(hash, check | 1)] !== 0 ? TOKEN : cost

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
  /** Of a word at the end: the cost of its characters, and its hashes. */
  #cost = 0
  #hash = 0
  #check = 0
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
    let check = this.#check
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const next = kindOf[code]!
      if (kind >= MARK) {
        // Marks take the ends of lines with them.
        if (next === kind || (kind === UPPER && next === LOWER) || (kind === MARK && next === NEWLINE)) {
          hash = Math.imul(hash ^ code, PLACE_FACTOR)
          check = Math.imul(check ^ code, CHECK_FACTOR)
          cost += (last | code) < ASCII ? pairCostOf[(last << 7) | code]! : costOf[code]!
          if (next === LOWER) kind = LOWER
          last = code
          continue
        }
        counted += wordCost(cost, hash, check)
      } else if (kind === WIDE && next === WIDE) {
        counted += costOf[code]!
        last = code
        continue
      }
      if (next >= MARK) {
        if (kind === BLANK && last === SPACE) {
          hash = Math.imul(LED ^ code, PLACE_FACTOR)
          check = Math.imul(LED_CHECK ^ code, CHECK_FACTOR)
          cost = ALONE + (code < ASCII ? pairCostOf[(SPACE << 7) | code]! : costOf[code]!)
        } else {
          if (kind === BLANK) counted += costOf[last]!
          hash = Math.imul(START ^ code, PLACE_FACTOR)
          check = Math.imul((this.#is_suffix ? UNKNOWN : START) ^ code, CHECK_FACTOR)
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
    this.#check = check
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
    return this.#kind >= MARK ? wordCost(this.#cost, this.#hash, this.#check) : this.#blank
  }

  /** @returns the cost of a character outside words that is no blank */
  #other(next: number, code: number, kind: number, last: number): number {
    if (next === NEWLINE) return code === last ? repeatCostOf[code]! : costOf[code]!
    if (next !== DIGIT) return costOf[code]!
    this.#digits = kind === DIGIT ? (this.#digits + 1) % DIGITS : 0
    return this.#digits ? 0 : TOKEN
  }
}
