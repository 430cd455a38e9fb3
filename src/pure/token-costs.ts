/**
 * What characters cost in tokens of `o200k`, in parts of a token. `npm run tokens` prints the figures from the table of
 * the tokenizer, as tests/pure/print-token-costs.ts explains them.
 */
import { readFileSync } from 'node:fs'
import file from './token-costs.gz' with { type: 'file' }

export const CODES = 65_536
export const ASCII = 128

/** Four tables one after another, as bytes: parsing text would leave garbage that grows the heap. */
const figures = Bun.gunzipSync(readFileSync(file))

export const kindOf = figures.subarray(0, CODES)
/** Cost of a character that stands alone. */
export const costOf = figures.subarray(CODES, 2 * CODES)
/** Cost of a blank behind the same one. */
export const repeatCostOf = figures.subarray(2 * CODES, 3 * CODES)
/** Cost of an ASCII character behind another: `first << 7 | second`. */
export const pairCostOf = figures.subarray(3 * CODES)
