// @engine both
/** Random requests from the OpenAPI document. */
import { expect, test } from 'bun:test'
import { fuzz } from '../support/app/api-fuzz.ts'

const CASES = 300
/** The same requests on every run: tests/long has others. */
const SEED = 1

test('random requests of every operation get an answer, no server error and no trace of the code', async () => {
  expect(await fuzz(CASES, SEED)).toEqual([])
})
