/**
 * What characters cost in tokens of `o200k`, in parts of a token, and which words are one token. `npm run tokens` prints
 * the figures from the table of the tokenizer, as tests/pure/print-token-costs.ts explains them.
 */
import figures from './token-costs.json' with { type: 'json' }

export interface TokenCosts {
  /** All 65,536 in runs of the same figures: `length in base 36,kind,cost;`. */
  characters: string
  /** Codes of blanks, each with its cost behind the same one. */
  repeats: number[][]
  /** Of an ASCII character behind one that it forms a common token with, another token, and none. */
  pair_costs: number[]
  /** The pairs of both kinds, one after another. */
  pairs: string[]
  /** Each begins with the number of characters that it shares with the one before. */
  words: string
}

const { characters, repeats, pair_costs, pairs, words: printed }: TokenCosts = figures

const CODES = 65_536
const ASCII = 128

export const kindOf = new Uint8Array(CODES)
/** Cost of a character that stands alone. */
export const costOf = new Uint8Array(CODES)
/** Cost of a blank behind the same one. */
export const repeatCostOf = new Uint8Array(CODES)
/** Cost of an ASCII character behind another: `first << 7 | second`. */
export const pairCostOf = new Uint8Array(ASCII * ASCII).fill(pair_costs.at(-1)!)

fillCharacters()
for (const [code, cost] of repeats) repeatCostOf[code!] = cost!
for (const [level, list] of pairs.entries()) {
  for (let at = 0; at < list.length; at += 2)
    pairCostOf[(list.charCodeAt(at) << 7) | list.charCodeAt(at + 1)] = pair_costs[level]!
}

/** Words and rows of marks that are one token, some with the space before them. */
export function* words(): Generator<string> {
  let word = ''
  for (const [, shared, rest] of printed.matchAll(/(\d)(\D*)/g)) {
    word = word.slice(0, Number(shared)) + rest
    yield word
  }
}

/** Rows of characters that follow each other: how many, in base 36, their kind and their cost. */
function fillCharacters() {
  let at = 0
  for (const [, length, kind, cost] of characters.matchAll(/(\w+),(\d),(\d+);/g)) {
    const end = at + Number.parseInt(length!, 36)
    kindOf.fill(Number(kind), at, end)
    costOf.fill(Number(cost), at, end)
    at = end
  }
}
