/** Random requests from the OpenAPI document. */
import { expect, test } from 'bun:test'
import { fuzz } from '../support/app/api-fuzz.ts'

const CASES = 300
/** Printed with a failure; `FUZZ_SEED` repeats it. */
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))

test('random requests of every operation get an answer, no server error and no trace of the code', async () => {
  expect([SEED, await fuzz(CASES, SEED)]).toEqual([SEED, []])
})
