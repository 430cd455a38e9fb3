// @engine sqlite
/** Prices of tasks: exact, with one ceiling at the end. */
import { expect, test } from 'bun:test'
import { type TaskChoice, type TaskPrice, taskBill, taskPriceIn } from '../../src/billing/task-price.ts'
import { seededRandom } from '../support/random.ts'

const quotaOf = (price: TaskPrice, choice: TaskChoice, group_ratio = 1, quota_per_unit = 500_000) =>
  taskBill({ price, choice, group_ratio, quota_per_unit }).quota

const video: TaskPrice = {
  unit: 'second',
  price: 0.05,
  when: [
    { resolution: '1080p', price: 0.09 },
    { resolution: '4k', input: 'video', price: 0.2 },
    { resolution: '4k', price: 0.15 },
    { input: 'video', times: 0.6 },
    { sound: 'on', times: 1.5 },
  ],
  add: { input_second: 0.02, image: 0.01 },
  min: 4,
}

test.each<[number, TaskChoice, string]>([
  [0.05 * 8, { units: 8 }, 'the price of a unit'],
  [0.05 * 4, { units: 1 }, 'the fewest units'],
  [0, { units: 0 }, 'no units are no fewest units'],
  [0.05 * 8.5, { units: 8.5 }, 'parts of a unit'],
  [0.09 * 5, { units: 5, traits: { resolution: '1080p' } }, 'the first rule with a price that matches'],
  [0.2 * 5 * 0.6, { units: 5, traits: { resolution: '4k', input: 'video' } }, 'every condition of a rule'],
  [0.15 * 5 * 1.5, { units: 5, traits: { resolution: '4k', sound: 'on' } }, 'a factor above one'],
  [0.05 * 5 * 0.9, { units: 5, traits: { input: 'video', sound: 'on' } }, 'every factor that matches'],
  [0.25 + 0.06 + 0.02, { units: 5, extras: { input_second: 3, image: 2, unlisted: 9 } }, 'what is added'],
])('a task costs %f USD for %j: %s', (usd, choice) => {
  expect(quotaOf(video, choice)).toBe(Math.ceil(Number((usd * 500_000).toFixed(6))))
})

test('a ceiling stands at the end alone, and a price above nothing is never free', () => {
  expect(quotaOf({ unit: 'call', price: 0.1 }, { units: 1 }, 0.3)).toBe(15_000)
  expect(quotaOf({ unit: 'call', price: 0.0000001 }, { units: 1 })).toBe(1)
  expect(quotaOf({ unit: 'call', price: 0.0000021 }, { units: 1 })).toBe(2)
  expect(quotaOf({ unit: 'call', price: 0 }, { units: 1 })).toBe(0)
  expect(quotaOf({ unit: 'call', price: 0.1 }, { units: 1 }, 0)).toBe(0)
  expect(quotaOf({ unit: 'second', price: 1e12 }, { units: 1e12 })).toBe(Number.MAX_SAFE_INTEGER)
})

test('the lines of a bill add up to it', () => {
  const choice = { units: 5, traits: { input: 'video' }, extras: { image: 2 } }
  const { quota, lines } = taskBill({ price: video, choice, group_ratio: 1, quota_per_unit: 500_000 })
  expect(lines).toEqual([
    { bucket: 'second', count: 5, unit_price: 0.03, per: 1, ratio: '15000', amount: '75000' },
    { bucket: 'add:image', count: 2, unit_price: 0.01, per: 1, ratio: '5000', amount: '10000' },
  ])
  expect(quota).toBe(85_000)
})

test('a task has the price of its own entry, else that of a call, else none', () => {
  const tables = { TaskPrice: { a: video, 'b-*': { unit: 'call', price: 2 } as const }, ModelPrice: { a: 1, c: 3 } }
  expect(taskPriceIn(tables, 'a')).toBe(video)
  expect(taskPriceIn(tables, 'b-fast')).toEqual({ unit: 'call', price: 2 })
  expect(taskPriceIn(tables, 'c')).toEqual({ unit: 'call', price: 3 })
  expect(taskPriceIn(tables, 'd')).toBeUndefined()
})

/** In millionths, so that whole numbers are exact. */
const MILLION = 1_000_000n

test('prices at random agree with whole numbers', () => {
  const random = seededRandom(23)
  const whole = (max: number) => random(max + 1)
  for (let round = 0; round < 2000; round++) {
    const [price, special, factor, extra] = [whole(999_999), whole(999_999), whole(3_000_000), whole(99_999)]
    const [units, min, images, group] = [1 + whole(59), whole(9), whole(4), whole(2_000_000)]
    const [isSpecial, isTimes] = [random(2) > 0, random(2) > 0]
    const entry: TaskPrice = {
      ...{ unit: 'second', price: price / 1e6, min, add: { image: extra / 1e6 } },
      when: [
        { tier: 'high', price: special / 1e6 },
        { input: 'video', times: factor / 1e6 },
      ],
    }
    const traits = { ...(isSpecial && { tier: 'high' }), ...(isTimes && { input: 'video' }) }
    const rate = BigInt(isSpecial ? special : price) * (isTimes ? BigInt(factor) : MILLION)
    const sum = rate * BigInt(Math.max(units, min)) + BigInt(extra) * MILLION * BigInt(images)
    const scaled = sum * 500_000n * BigInt(group)
    const one = MILLION * MILLION * MILLION
    const choice = { units, traits, extras: { image: images } }
    expect(quotaOf(entry, choice, group / 1e6)).toBe(Number((scaled + one - 1n) / one))
  }
})
