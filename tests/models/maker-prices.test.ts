// @engine sqlite
/** Default prices that makers list: a new installation charges them. */
import { expect, test } from 'bun:test'
import { quotaOf } from '../../src/billing/bill.ts'
import { type PriceTables, priceOf } from '../../src/billing/price.ts'
import { type Usage, usageOf } from '../../src/billing/usage.ts'
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

const MILLION = 1_000_000
const quota_per_usd = 500_000

/** What a million tokens of each bucket cost by the default options, in USD. */
async function usdOf(model: string, usage: Partial<Usage>): Promise<number> {
  const { data } = await root.get('/api/option/')
  const tables = Object.fromEntries(
    data.flatMap(({ key, value }: { key: string; value: string }) =>
      /Ratio$|^ModelPrice$|^ToolPrice$/.test(key) ? [[key, JSON.parse(value)]] : [],
    ),
  )
  const priced = {
    families: [],
    version: '1',
    QuotaPerUnit: quota_per_usd,
    ...(tables as object),
  } as unknown as PriceTables
  const price = priceOf(model, priced, {
    group_ratio: 1,
    accept_unset: false,
  })
  return quotaOf(usageOf(usage), price!) / quota_per_usd
}

test.each([
  ['gpt-6-astra', { input: 0.1 }, 1],
  ['gpt-6-astra', { input: 1 }, 20],
  ['gpt-6.1-terra', { output: 1 }, 5],
  ['gpt-5.6-luna', { cache_read: 0.1 }, 0.002],
  ['gpt-realtime-2', { input_audio: 0.1 }, 3.2],
  ['gpt-realtime-2', { output_audio: 0.1 }, 6.4],
  ['gpt-audio-mini', { output_audio: 0.1 }, 2],
  ['gpt-image-2', { input_image: 0.1 }, 0.8],
  ['gpt-image-2', { output: 0.1 }, 3],
  ['omni-moderation-latest', { input: 1 }, 0],
  ['claude-opus-5-5', { cache_write_5m: 0.1 }, 0.5],
  ['claude-fable-5-1', { cache_read: 0.1 }, 0.025],
  ['claude-haiku-5-5', { input: 0.1 }, 0.01],
  ['claude-haiku-5-5', { input: 0.2, output: 0.1 }, 0.35],
  ['gemini-3.8-flash', { input: 0.1, output: 0.1 }, 0.45],
  ['gemini-3.5-flash-lite', { output: 0.1 }, 0.25],
  ['gemini-4-argon', { cache_read: 0.1 }, 0.02],
] as [string, Partial<Usage>, number][])(
  'the newest models have the prices of their makers: %p, %p million tokens',
  async (model, millions, usd) => {
    const usage = Object.fromEntries(
      Object.entries(millions).map(([bucket, count]) => [bucket, Number(count) * MILLION]),
    )
    expect(await usdOf(model, usage)).toBeCloseTo(usd, 4)
  },
)
