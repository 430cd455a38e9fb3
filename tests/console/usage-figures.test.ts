/** Figures that are computed from counts and times alone: whole results at every edge. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { FIRST_TOKEN_BOUNDS_MS, FIRST_TOKEN_BUCKETS } from '../../src/contracts/first-token.ts'
import { medianOf } from '../../src/domain/usage/first-tokens.ts'
import { wholeHoursOf } from '../../src/domain/usage/stat.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'

const HOUR = 3600
let hour: number
beforeAll(() => {
  holdClock(true)
  // Half an hour into an hour.
  shiftClock(HOUR / 2 - (now() % HOUR))
  hour = now() - HOUR / 2
})
afterAll(() => resetStores('clock'))

/** Seconds from the begin of the running hour: those of the range, and what is whole of it. */
const ranges: [
  start: number | undefined,
  end: number | undefined,
  from: number | undefined,
  until: number,
  end: number,
][] = [
  [undefined, undefined, undefined, HOUR, HOUR - 1],
  [-HOUR, undefined, -HOUR, HOUR, HOUR - 1],
  [-HOUR + 1, -1, 0, 0, -1],
  [-2 * HOUR, -1, -2 * HOUR, 0, -1],
  [-2 * HOUR, -2, -2 * HOUR, -HOUR, -2],
  [-2 * HOUR, 0, -2 * HOUR, 0, 0],
  [-2 * HOUR - 1, -HOUR, -2 * HOUR, -HOUR, -HOUR],
  [-HOUR, HOUR / 2 - 1, -HOUR, 0, HOUR / 2 - 1],
  [-HOUR, HOUR / 2, -HOUR, HOUR, HOUR - 1],
  [-HOUR, 9 * HOUR, -HOUR, HOUR, HOUR - 1],
]

test.each(ranges)('whole hours from %p to %p', (start, end, from, until, last) => {
  const at = (seconds: number | undefined) => (seconds === undefined ? undefined : hour + seconds)
  expect(wholeHoursOf({ start_timestamp: at(start), end_timestamp: at(end) } as never)).toEqual({
    ...{ start: at(start) ?? 0, wholeFrom: at(from) ?? 0 },
    ...{ wholeUntil: hour + until, end: hour + last },
  })
})

const bounds = FIRST_TOKEN_BOUNDS_MS
/** Calls by bucket. */
const medians: [counts: number[], ms: number | undefined][] = [
  [[], undefined],
  [[19], undefined],
  [[20], bounds[0]! / 2],
  [[10, 10], bounds[0]!],
  [[5, 15], Math.round(bounds[0]! + (bounds[1]! - bounds[0]!) / 3)],
  [[5, 5, 10], bounds[1]!],
  [[2, 4, 4, 10], bounds[2]!],
  [[2, 4, 0, 14], Math.round(bounds[2]! + ((bounds[3]! - bounds[2]!) * 4) / 14)],
  [[0, 0, 0, 20], Math.round((bounds[2]! + bounds[3]!) / 2)],
  [[...bounds.map(() => 0), 20], bounds.at(-1)!],
]

test.each(medians)('median time to first token of %j calls', (calls, ms) => {
  const counts = Object.fromEntries(FIRST_TOKEN_BUCKETS.map((name, at) => [name, calls[at] ?? 0]))
  expect(medianOf(counts as never)).toBe(ms as never)
})
