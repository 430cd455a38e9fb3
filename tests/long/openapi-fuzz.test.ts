/** Random requests from the OpenAPI document, many of them. */
import { expect, test } from 'bun:test'
import { fuzz } from '../support/app/api-fuzz.ts'

/** On each engine. */
const CASES = Number(process.env.FUZZ_CASES ?? 50_000)
/** Printed with a failure; `FUZZ_SEED` repeats it. */
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
/** Of a machine with much else to do: they take a minute or two on a quiet one. */
const TIMEOUT_MS = 6 * 3_600_000

test(
  'random requests of every operation get an answer, no server error and no trace of the code',
  async () => expect([SEED, await fuzz(CASES, SEED)]).toEqual([SEED, []]),
  TIMEOUT_MS,
)
