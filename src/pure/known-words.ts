/**
 * Words and rows of marks that are one token of `o200k`, some with the space before them, by their hashes. `npm run
 * tokens` prints them from the table of the tokenizer.
 */
import { readFileSync } from 'node:fs'
import file from './known-words.gz' with { type: 'file' }

export const SPACE = 32
/** A word is printed behind the number of characters that it shares with the one before; the most of it. */
export const SHARED_MAX = 8
/** Characters of the longest word. */
export const WORD_MAX = 24

/** The hashes are random: no text can be written whose words are taken for known ones. */
const [start, factor] = crypto.getRandomValues(new Int32Array(2))
const FACTOR = factor! | 1
export const START = start!
/** The hash of a space before a word. */
export const LED = nextHash(START, SPACE)
/** A start that no known word has. */
export const UNKNOWN = ~START

/** The low halves of the hashes, each at its place or behind; a third of the places is used. */
const BITS = 17
const table = new Uint16Array(1 << BITS)
const LAST_PLACE = table.length - 1
const SHIFT = 32 - BITS

/** The table is filled for the first text: an idle process does without. */
let isFilled = false

/** All words, as UTF-16. */
export function printedWords(): Uint16Array {
  const { buffer, byteOffset, byteLength } = Bun.gunzipSync(readFileSync(file))
  return new Uint16Array(buffer, byteOffset, byteLength / Uint16Array.BYTES_PER_ELEMENT)
}

/** Makes no strings: thousands of them would grow the heap. */
function fillTable() {
  isFilled = true
  const printed = printedWords()
  /** Hash of the first n characters of the word, by n. */
  const hashes = new Int32Array(WORD_MAX + 1)
  hashes[0] = START
  let length = 0
  for (let at = 1; at <= printed.length; at++) {
    const code = printed[at]
    if (code !== undefined && code > SHARED_MAX) {
      hashes[length + 1] = nextHash(hashes[length]!, code)
      length++
    } else {
      table[placeOf(hashes[length]!)] = lowHalf(hashes[length]!)
      length = code ?? 0
    }
  }
}

/** @returns the hash of a word with one more character */
export function nextHash(hash: number, code: number): number {
  return Math.imul(hash ^ code, FACTOR)
}

export function isKnown(hash: number): boolean {
  if (!isFilled) fillTable()
  return table[placeOf(hash)] !== 0
}

/** @returns the place of the word, or the free one where it belongs */
function placeOf(hash: number): number {
  const half = lowHalf(hash)
  let place = hash >>> SHIFT
  while (table[place] !== 0 && table[place] !== half) place = (place + 1) & LAST_PLACE
  return place
}

/** 0 is a free place. */
function lowHalf(hash: number): number {
  return (hash & 0xffff) | 1
}
