// @engine sqlite
/** Default prices that makers list: a new installation charges them. */
import { expect, test } from 'bun:test'
import { priceSheets } from '../../src/models/maker-prices.ts'
import { setUp } from '../support/people/person.ts'

const root = await setUp()

async function optionOf(key: string): Promise<Record<string, number>> {
  const { data } = await root.get('/api/option/')
  return JSON.parse(data.find((option: { key: string }) => option.key === key).value)
}

test('a price in USD per million tokens is half of it as a ratio, output relative to input', async () => {
  const [input, output] = [await optionOf('ModelRatio'), await optionOf('CompletionRatio')]
  expect([input['command-a-03-2025'], output['command-a-03-2025']]).toEqual([1.25, 4])
  expect([input['amazon.nova-micro-v1:0'], output['amazon.nova-micro-v1:0']]).toEqual([0.0175, 4])
})

test('a price in CNY is converted at 7.3 to the dollar', async () => {
  expect((await optionOf('ModelRatio'))['qwen-max']).toBeCloseTo(2.4 / 7.3 / 2, 6)
  expect((await optionOf('ModelPrice'))['qwen-image']).toBeCloseTo(0.25 / 7.3, 6)
})

test('a price per call is stored in USD', async () => {
  expect((await optionOf('ModelPrice'))['rerank-v3.5']).toBe(0.002)
})

test('every sheet names a page of its maker and the month in which it was read', () => {
  for (const { page, read } of priceSheets) {
    expect(page).toStartWith('https://')
    expect(read).toMatch(/^20\d\d-(?:0[1-9]|1[0-2])$/)
  }
})
