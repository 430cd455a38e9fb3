// @engine sqlite
/** Random conversations between all formats. A failure prints its seed and path. */
import { expect, test } from 'bun:test'
import { formats } from '../../src/formats/index.ts'
import { inTier } from '../support/tier.ts'
import { checkHistories } from './histories/check.ts'
import { strictUpstreams } from './rules/index.ts'

const [RUNS, SEED] = [inTier({ short: 500, long: 2000 }), Number(process.env.HISTORY_SEED ?? 19)]

test('every upstream format has the rules of its maker', () => {
  for (const { title, flawOf } of strictUpstreams) expect([title, typeof flawOf]).toEqual([title, 'function'])
  expect(formats.filter(name => !strictUpstreams.some(({ format }) => format.name === name))).toEqual([])
})

test('histories of every client are accepted by every upstream, with every call, result and own thought', () => {
  checkHistories(RUNS, SEED)
}, 240_000)
