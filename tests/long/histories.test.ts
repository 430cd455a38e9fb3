// @engine sqlite
/** A hundred thousand random conversations between all formats; a failure prints its seed and path. */
import { test } from 'bun:test'
import { checkHistories } from '../formats/histories/check.ts'

/** `HISTORY_RUNS=1000 HISTORY_SEED=7` for fewer, or others. */
const RUNS = Number(process.env.HISTORY_RUNS ?? 100_000)
const SEED = Number(process.env.HISTORY_SEED ?? 1)

test('histories: 100,000 random conversations are accepted by every upstream', () => {
  checkHistories(RUNS, SEED)
}, 3_600_000)
