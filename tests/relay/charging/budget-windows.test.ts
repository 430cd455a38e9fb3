// @engine sqlite
/** Windows of budgets over zones, changes of clocks, leap days and ends of months. */
import { expect, test } from 'bun:test'
import { BUDGET_WINDOWS } from '../../../src/contracts/budget.ts'
import { isOfClock, type TimeWindow, type WindowOfBudget, windowAt } from '../../../src/domain/budgets/window.ts'
import { seededRandom } from '../../support/random.ts'
import { inTier } from '../../support/tier.ts'

const LIVES = inTier({ short: 500, long: 10_000 })
const CALLS = 40
const DAY = 86_400
const zones = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'America/Havana', 'America/Sao_Paulo', 'Asia/Kathmandu'],
  ...[
    'Pacific/Apia',
    'Pacific/Kiritimati',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Asia/Beirut',
    'America/Toronto',
  ],
]
/** From 1975 to 2095. */
const [FIRST, SPAN] = [157_766_400, 3_786_912_000]
const lengths = [1, 7, 60, 3600, 5 * 3600, DAY, 30 * DAY, 315_576_000]
const steps = [0, 1, 2, 59, 3600, 5 * 3600, DAY - 1, DAY, 7 * DAY, 31 * DAY, 366 * DAY]

function ruleOf(random: (limit: number) => number): WindowOfBudget {
  return {
    window: BUDGET_WINDOWS[random(BUDGET_WINDOWS.length)]!,
    seconds: lengths[random(lengths.length)]!,
    anchor: FIRST + random(SPAN),
    zone: zones[random(zones.length)]!,
  }
}

/** Before and after a change of the clock, leap days and ends of months, as well as any second. */
const edges = [
  '2024-02-29T00:00:00Z',
  '2011-12-30T10:00:00Z',
  '1987-10-25T04:00:30Z',
  '2026-10-25T00:59:59Z',
  '2026-03-29T01:00:00Z',
]
const startOf = (random: (limit: number) => number) =>
  random(2) ? FIRST + random(SPAN) : Date.parse(edges[random(edges.length)]!) / 1000 + random(2 * DAY) - DAY

/** As the rows of a budget answer: the first window that reaches beyond now and begins within its length. */
const storedAt = (windows: TimeWindow[], { seconds }: WindowOfBudget, now: number) =>
  windows.find(({ start, end }) => end > now && start > now - seconds && start < now + seconds)

test('windows: each call belongs to one, and no two of a budget have a second in common', () => {
  const random = seededRandom(27)
  for (let life = 0; life < LIVES; life++) {
    const rule = ruleOf(random)
    const windows: TimeWindow[] = []
    let now = startOf(random)
    for (let call = 0; call < CALLS; call++) {
      const window = windowAt(rule, now, isOfClock(rule) ? undefined : storedAt(windows, rule, now))
      const told = JSON.stringify({ life, rule, now, window, windows })
      if (isOfClock(rule) && !(window.start <= now && now < window.end)) throw new Error(told)
      if (!windows.some(one => one.start === window.start && one.end === window.end)) {
        if (windows.some(one => one.start < window.end && window.start < one.end)) throw new Error(told)
        windows.push(window)
        windows.sort((one, other) => one.start - other.start)
      }
      // A clock may be set back.
      const step = steps[random(steps.length)]!
      now = Math.max(0, now + (random(8) ? step : -step))
    }
  }
})

const at = (text: string) => Date.parse(text) / 1000
const spans: [string, WindowOfBudget['window'], string, string, string, string][] = [
  ['the 31st', 'month', 'UTC', '2026-01-31T23:59:59Z', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
  ['a leap day', 'month', 'UTC', '2024-02-29T12:00:00Z', '2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z'],
  ['a day of 23 hours', 'day', 'Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
  ['a day of 25 hours', 'day', 'Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
  ['a Sunday', 'week', 'Asia/Shanghai', '2026-11-29T15:59:59Z', '2026-11-22T16:00:00Z', '2026-11-29T16:00:00Z'],
  ['a skipped day', 'day', 'Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-30T10:00:00Z', '2011-12-31T10:00:00Z'],
]

test.each(spans)('the window of %s is that of the calendar', (_, window, zone, now, start, end) => {
  const rule = { window, zone, seconds: 0, anchor: 0 }
  expect(windowAt(rule, at(now))).toEqual({ start: at(start), end: at(end) })
  expect(windowAt(rule, at(end))).toMatchObject({ start: at(end) })
})
