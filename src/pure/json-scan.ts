/** Looks at JSON before it is parsed: how deep, and how many pieces. What no one can parse quickly is found in one pass. */

export interface JsonLimits {
  depth: number
  /** Objects and lists. */
  pieces: number
  /** Commas outside of texts. */
  values: number
  /** Fields of objects. */
  keys: number
  /** Whole numbers that a double may not hold. */
  long_numbers: number
  /** Characters outside of long texts. */
  structure: number
}

export type JsonExcess = keyof JsonLimits

/** What a request may contain, with the JSON in its texts: parsing more would block other calls. */
export const REQUEST_LIMITS: JsonLimits = {
  depth: 128,
  pieces: 25_000,
  values: 200_000,
  keys: 50_000,
  long_numbers: 10_000,
  structure: 4 * 1_048_576,
}

/** What a response may contain: a batch of embeddings has millions of numbers. */
export const RESPONSE_LIMITS: JsonLimits = {
  depth: REQUEST_LIMITS.depth,
  pieces: 100_000,
  values: 8_000_000,
  keys: 1_000_000,
  long_numbers: Number.POSITIVE_INFINITY,
  structure: Number.POSITIVE_INFINITY,
}

/** Messages for a text that passes a limit. */
export const excessCodes = {
  depth: 'relay.too_deep',
  pieces: 'relay.too_many_pieces',
  values: 'relay.too_many_values',
  keys: 'relay.too_many_keys',
  long_numbers: 'relay.too_many_long_numbers',
  structure: 'relay.too_much_structure',
} as const satisfies Record<JsonExcess, string>

/** A token that is not left to the parser: a long text without its quotes, or a number of many digits. */
export interface JsonToken {
  kind: 'text' | 'number'
  from: number
  to: number
}

/** Characters from which a number may be more exact than a double. */
const LONG_NUMBER = 16
/** Characters of a text that are looked at one by one before the rest is searched. */
const SHORT_TEXT = 48

const [OTHER, QUOTE, OPEN, CLOSE, SEPARATOR, NUMBER] = [0, 1, 2, 3, 4, 5]
const QUOTE_CODE = 0x22
const BACKSLASH_CODE = 0x5c
const COLON_CODE = 0x3a
const POINT_CODE = 0x2e
const MINUS_CODE = 0x2d
const E_CODE = 0x45
const SMALL_E_CODE = 0x65
const kinds = new Uint8Array(128)
for (const [characters, kind] of [
  ['"', QUOTE],
  ['[{', OPEN],
  [']}', CLOSE],
  [',:', SEPARATOR],
  ['-0123456789', NUMBER],
] as const)
  for (const character of characters) kinds[character.charCodeAt(0)] = kind
/** Characters that continue a number. */
const inNumber = new Uint8Array(128)
for (const character of '-+.0123456789eE') inNumber[character.charCodeAt(0)] = 1

/** Scans a text that may come in slices, which are cut anywhere. */
export class JsonScan {
  /** The first limit that is passed; the rest of the text is not looked at. */
  excess: JsonExcess | undefined
  /** Long tokens in order. A long text that is a key is none. */
  readonly tokens: JsonToken[] = []
  #depth = 0
  #pieces = 0
  #values = 0
  #keys = 0
  #long_numbers = 0
  /** Characters of long texts. */
  #long = 0
  /** Place of the slice in the whole text. */
  #base = 0
  /** Where the token begins that the slice before left open; -1 without one. */
  #text_from = -1
  #number_from = -1
  /** Digits before the point, and whether an exponent follows that makes it larger. */
  #digits = 0
  #after_digits = false
  #grows = false
  /** The text ended in the middle of an escape. */
  #is_escaped = false
  #after_long_text = false
  /** The next quote and backslash of the slice, where they are known. */
  #quote = -1
  #backslash = -1

  /** @param long_text characters from which a text is a long token */
  constructor(
    private readonly limits: JsonLimits,
    private readonly long_text = Number.POSITIVE_INFINITY,
  ) {}

  /** @returns whether all is within the limits so far */
  push(slice: string): boolean {
    const { length } = slice
    this.#quote = this.#backslash = -1
    let at = 0
    if (this.#text_from >= 0) at = this.#endOfText(slice, 0)
    else if (this.#number_from >= 0) at = this.#endOfNumber(slice, 0)
    while (at < length && !this.excess) {
      const code = slice.charCodeAt(at)
      const kind = code < 128 ? kinds[code]! : OTHER
      if (kind === OTHER) at++
      else if (kind === QUOTE) {
        this.#text_from = this.#base + at + 1
        at = this.#endOfText(slice, at + 1)
      } else if (kind === NUMBER) {
        this.#number_from = this.#base + at
        at = this.#endOfNumber(slice, at)
      } else {
        this.#structure(kind, code)
        at++
      }
    }
    this.#base += length
    if (this.#base - this.#long > this.limits.structure && this.#structureSoFar() > this.limits.structure)
      this.excess ??= 'structure'
    return !this.excess
  }

  /** Ends a text, which may be broken. What follows is another one, and counts towards the same limits. */
  end() {
    if (this.#number_from >= 0) this.#numberEnds(this.#base)
    this.#text_from = -1
    this.#depth = 0
    this.#is_escaped = this.#after_long_text = false
  }

  #structureSoFar(): number {
    const open = this.#text_from >= 0 ? this.#base - this.#text_from : 0
    return this.#base - this.#long - (open >= this.long_text ? open : 0)
  }

  #structure(kind: number, code: number) {
    if (kind === SEPARATOR) {
      if (code !== COLON_CODE) {
        if (++this.#values > this.limits.values) this.excess = 'values'
      } else {
        if (this.#after_long_text) this.#long -= lengthOf(this.tokens.pop()!)
        if (++this.#keys > this.limits.keys) this.excess = 'keys'
      }
    } else if (kind === OPEN) {
      if (++this.#pieces > this.limits.pieces) this.excess = 'pieces'
      if (++this.#depth > this.limits.depth) this.excess = 'depth'
    } else this.#depth--
    this.#after_long_text = false
  }

  /** @returns the offset behind the closing quote, or the slice's length */
  #endOfText(slice: string, from: number): number {
    const { length } = slice
    let at = from
    if (this.#is_escaped) {
      this.#is_escaped = false
      at++
    }
    let left = SHORT_TEXT
    while (at < length) {
      let code: number
      if (left-- > 0) code = slice.charCodeAt(at)
      else {
        if (this.#quote < at) this.#quote = indexOrEnd(slice, '"', at)
        if (this.#backslash < at) this.#backslash = indexOrEnd(slice, '\\', at)
        at = Math.min(this.#quote, this.#backslash)
        if (at === length) break
        code = at === this.#quote ? QUOTE_CODE : BACKSLASH_CODE
        left = SHORT_TEXT
      }
      if (code === QUOTE_CODE) return this.#textEnds(at)
      if (code === BACKSLASH_CODE) {
        if (at + 1 >= length) this.#is_escaped = true
        at++
      }
      at++
    }
    return length
  }

  #textEnds(at: number): number {
    const token: JsonToken = { kind: 'text', from: this.#text_from, to: this.#base + at }
    if (lengthOf(token) >= this.long_text) {
      this.tokens.push(token)
      this.#long += lengthOf(token)
      this.#after_long_text = true
    }
    this.#text_from = -1
    return at + 1
  }

  #endOfNumber(slice: string, from: number): number {
    let at = from
    for (; at < slice.length; at++) {
      const code = slice.charCodeAt(at)
      if (code >= 128 || !inNumber[code]) break
      if (code === POINT_CODE) this.#after_digits = true
      else if (code === E_CODE || code === SMALL_E_CODE) this.#after_digits = this.#grows = true
      else if (code === MINUS_CODE) this.#grows = false
      else if (!this.#after_digits) this.#digits++
    }
    if (at < slice.length) this.#numberEnds(this.#base + at)
    return at
  }

  #numberEnds(to: number) {
    if (this.#grows || this.#digits >= LONG_NUMBER) {
      this.tokens.push({ kind: 'number', from: this.#number_from, to })
      if (++this.#long_numbers > this.limits.long_numbers) this.excess = 'long_numbers'
    }
    this.#number_from = -1
    this.#digits = 0
    this.#after_digits = this.#grows = false
  }
}

const lengthOf = ({ from, to }: JsonToken) => to - from

function indexOrEnd(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from)
  return at < 0 ? text.length : at
}
