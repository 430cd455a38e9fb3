// @engine sqlite
import { describe, expect, test } from 'bun:test'
import { bill } from '../../src/billing/bill.ts'
import { type PriceQuery, type PriceTables, priceOf } from '../../src/billing/price.ts'
import { buckets, type Usage, usageOf, wasUsed } from '../../src/billing/usage.ts'
import { completionFamilies } from '../../src/models/completion-ratios.ts'
import { decimal, plain, rounded, textOf, times } from '../../src/pure/decimal.ts'
import { seededRandom } from '../support/random.ts'

const noTables: PriceTables = {
  ModelPrice: {},
  ModelRatio: {},
  CompletionRatio: {},
  CacheRatio: {},
  CacheCreationRatio: {},
  AudioRatio: {},
  AudioCompletionRatio: {},
  ImageRatio: {},
  ToolPrice: {},
  CacheCreationHourRatio: {},
  ReasoningRatio: {},
  TierRatio: {},
  QuotaPerUnit: 500_000,
  families: completionFamilies,
  version: 'test',
}

const price = (tables: Partial<PriceTables>, terms: Partial<PriceQuery> = {}, model = 'm') =>
  priceOf(model, { ...noTables, ...tables }, { group_ratio: 1, accept_unset: false, ...terms })!

const quotaOf = (usage: Partial<Usage>, tables: Partial<PriceTables>, terms: Partial<PriceQuery> = {}) =>
  bill(usageOf(usage), price(tables, terms)).quota

describe('worked examples', () => {
  test('gpt-4o: cached input at half, output at four times', () => {
    const tables = { ModelRatio: { m: 1.25 }, CompletionRatio: { m: 4 }, CacheRatio: { m: 0.5 } }
    expect(quotaOf({ input: 800, cache_read: 200, output: 500 }, tables)).toBe(3625)
  })

  test('Claude: cache reads and writes beside fresh input', () => {
    const tables = { ModelRatio: { m: 1.5 }, CompletionRatio: { m: 5 }, CacheRatio: { m: 0.1 } }
    expect(quotaOf({ input: 1000, cache_read: 5000, cache_write_5m: 2000, output: 300 }, tables)).toBe(8250)
  })

  test('cache entries kept for an hour cost 1.6 times those kept for five minutes', () => {
    expect(quotaOf({ cache_write_1h: 1000 }, { ModelRatio: { m: 1.5 } })).toBe(3000)
    expect(quotaOf({ cache_write_1h: 1000 }, { ModelRatio: { m: 1 }, CacheCreationRatio: { m: 2 } })).toBe(3200)
    const own = { ModelRatio: { m: 1 }, CacheCreationRatio: { m: 2 }, CacheCreationHourRatio: { m: 2.5 } }
    expect(quotaOf({ cache_write_1h: 1000, cache_write_5m: 1000 }, own)).toBe(4500)
  })

  test('a price per call: two HD images of a long size cost by multiplier', () => {
    expect(quotaOf({ calls: 2 }, { ModelPrice: { m: 0.04 } }, { multiplier: 2 * 1.5 })).toBe(120_000)
  })

  test('audio: 61 seconds received and 100 characters spoken cost their tokens', () => {
    expect(quotaOf({ input: 1017 }, { ModelRatio: { m: 15 } })).toBe(15_255)
    expect(quotaOf({ input: 100 }, { ModelRatio: { m: 7.5 } })).toBe(750)
  })

  test('a realtime conversation: text and sound in and out', () => {
    const tables = {
      ModelRatio: { m: 2.5 },
      CompletionRatio: { m: 4 },
      AudioRatio: { m: 20 },
      AudioCompletionRatio: { m: 2 },
    }
    expect(quotaOf({ input: 100, output: 50, input_audio: 200, output_audio: 300 }, tables)).toBe(40_750)
  })

  test('a song by the call, in a group that pays less', () => {
    expect(quotaOf({ calls: 1 }, { ModelPrice: { m: 0.1 } }, { group_ratio: 0.8 })).toBe(40_000)
  })

  test('image input costs twice the text by ImageRatio, and images that a model draws as much as its text', () => {
    const drawn = { ModelRatio: { m: 2.5 }, CompletionRatio: { m: 8 }, ImageRatio: { m: 2 } }
    expect(quotaOf({ output_image: 1000 }, drawn)).toBe(20_000)
    expect(quotaOf({ input: 100, input_image: 100 }, { ModelRatio: { m: 2.5 }, ImageRatio: { m: 2 } })).toBe(750)
  })

  test("calls of the provider's tools, some dearer with some models", () => {
    const tables = { ModelRatio: { m: 1, 'gpt-4o': 1 }, ToolPrice: { web_search: 10, 'web_search:gpt-4o*': 25 } }
    const usage = usageOf({ input: 1, tools: { web_search: 2, constructor: 3 } })
    expect(bill(usage, price(tables, { group_ratio: 2 })).quota).toBe((1 + 10_000) * 2)
    expect(bill(usage, price(tables, {}, 'gpt-4o')).quota).toBe(1 + 25_000)
  })
})

describe('rounding', () => {
  test('rounding: happens once, at the end, halves away from zero', () => {
    expect(quotaOf({ input: 1 }, { ModelRatio: { m: 2.5 } })).toBe(3)
    expect(quotaOf({ input: 1, output: 1 }, { ModelRatio: { m: 0.7 } })).toBe(1)
    expect(quotaOf({ input: 1, output: 1 }, { ModelRatio: { m: 0.75 } })).toBe(2)
    expect(quotaOf({ input: 3 }, { ModelRatio: { m: 0.075 } }, { group_ratio: 10 })).toBe(2)
  })

  test('rounding: 1.005 × 100 is exactly 100.5', () => {
    expect(1.005 * 1000).toBeLessThan(1005)
    expect(quotaOf({ input: 100 }, { ModelRatio: { m: 1.005 } })).toBe(101)
    expect(quotaOf({ input: 10 }, { ModelRatio: { m: 0.1 } }, { group_ratio: 0.35 })).toBe(1)
    expect(textOf(decimal(1e-7))).toBe('0.0000001')
    expect(plain(1e21)).toBe('1000000000000000000000')
    expect(rounded({ digits: -25, scale: 1 })).toBe(-3)
  })

  test('a bill is at least one unit when the usage and the price are not zero', () => {
    expect(quotaOf({ input: 1 }, { ModelRatio: { m: 0.0001 } })).toBe(1)
    expect(quotaOf({ calls: 1 }, { ModelPrice: { m: 0.0000001 } })).toBe(1)
    expect(quotaOf({ output: 9 }, { ModelRatio: { m: 1 }, CompletionRatio: { m: 0 } })).toBe(1)
  })

  test('a bill is zero for a price of zero, a group ratio of zero or no usage', () => {
    expect(quotaOf({ input: 1000 }, { ModelRatio: { m: 0 } })).toBe(0)
    expect(quotaOf({ input: 1000 }, { ModelRatio: { m: 5 } }, { group_ratio: 0 })).toBe(0)
    expect(quotaOf({ calls: 1 }, { ModelPrice: { m: 0 } })).toBe(0)
    expect(quotaOf({}, { ModelRatio: { m: 5 } })).toBe(0)
    expect(bill(usageOf(), price({ ModelPrice: { m: 1 } }))).toEqual({ quota: 0, lines: [] })
    expect(wasUsed(usageOf({ reasoning: 5 }))).toBe(false)
  })

  test('impossible counts never make a bill negative or inexact', () => {
    for (const count of [-5, Number.NaN, Number.NEGATIVE_INFINITY]) {
      expect(quotaOf({ input: count, output: 10 }, { ModelRatio: { m: 1 }, CompletionRatio: { m: 1 } })).toBe(10)
    }
    expect(quotaOf({ input: 1.9 }, { ModelRatio: { m: 1 } })).toBe(1)
    expect(quotaOf({ input: Number.POSITIVE_INFINITY }, { ModelRatio: { m: 100 } })).toBe(Number.MAX_SAFE_INTEGER)
  })
})

describe('the receipt', () => {
  const tables = { ModelRatio: { m: 1.5 }, CompletionRatio: { m: 5 }, CacheRatio: { m: 0.1 } }
  const usage = usageOf({ input: 2140, cache_read: 18_430, cache_write_5m: 1024, output: 1286, reasoning: 412 })

  test('the receipt has a line for each bucket, with its price for a million', () => {
    expect(bill(usage, price(tables, { group_ratio: 0.8 }))).toEqual({
      quota: 14_032,
      lines: [
        { bucket: 'input', count: 2140, unit_price: 3, per: 1_000_000, ratio: '1.5', amount: '3210' },
        { bucket: 'cache_read', count: 18_430, unit_price: 0.3, per: 1_000_000, ratio: '0.15', amount: '2764.5' },
        { bucket: 'cache_write_5m', count: 1024, unit_price: 3.75, per: 1_000_000, ratio: '1.875', amount: '1920' },
        { bucket: 'output', count: 1286, unit_price: 15, per: 1_000_000, ratio: '7.5', amount: '9645' },
        { bucket: 'reasoning', count: 412, unit_price: 0, per: 1, ratio: '0', amount: '0' },
      ],
    })
  })

  test('the receipt of a price per call has one line for the calls', () => {
    const { lines } = bill(usage, price({ ModelPrice: { m: 0.04 } }))
    expect(lines).toEqual([{ bucket: 'call', count: 1, unit_price: 0.04, per: 1, ratio: '20000', amount: '20000' }])
  })

  test('prices follow what a dollar is', () => {
    const [line] = bill(usageOf({ input: 1 }), price({ ...tables, QuotaPerUnit: 1_000_000 })).lines
    expect(line!.unit_price).toBe(1.5)
  })
})

describe('for any usage and any price', () => {
  const random = seededRandom(7)
  const ratio = () => [0, 0.1, 0.075, 1, 1.3333333333333333, 66.67, 0.821917808219178, 5][random(8)]!
  const anyPrice = () =>
    price(
      {
        ModelRatio: { m: ratio() },
        CompletionRatio: { m: ratio() },
        CacheRatio: { m: ratio() },
        AudioRatio: { m: ratio() },
        ToolPrice: { web_search: ratio() },
      },
      { group_ratio: ratio() },
    )
  const anyUsage = () =>
    usageOf({
      ...Object.fromEntries(buckets.map(bucket => [bucket, random(3) ? random(100_000) : 0])),
      tools: { web_search: random(3) },
    })
  const sum = (a: Usage, b: Usage) =>
    usageOf({
      ...Object.fromEntries(buckets.map(bucket => [bucket, a[bucket] + b[bucket]])),
      tools: { web_search: a.tools.web_search! + b.tools.web_search! },
    })
  const rounds = Array.from({ length: 500 }, () => ({ price: anyPrice(), a: anyUsage(), b: anyUsage() }))

  test('a bill is a whole number and never negative', () => {
    for (const { price, a } of rounds) {
      const { quota } = bill(a, price)
      expect(Number.isSafeInteger(quota) && quota >= 0 && !Object.is(quota, -0)).toBe(true)
    }
  })

  test('two bills together differ from the bill of both by rounding alone', () => {
    for (const { price, a, b } of rounds) {
      const apart = bill(a, price).quota + bill(b, price).quota
      expect(Math.abs(bill(sum(a, b), price).quota - apart)).toBeLessThanOrEqual(1)
    }
  })

  test('the order in which a usage was filled changes nothing', () => {
    for (const { price, a } of rounds) {
      const reversed = Object.fromEntries(Object.entries(a).reverse()) as unknown as Usage
      expect(bill(reversed, price)).toEqual(bill(a, price))
    }
  })

  test('the quota of a bill follows from its lines alone', () => {
    for (const { price, a } of rounds) {
      const { quota, lines } = bill(a, price)
      for (const { count, ratio, amount } of lines) {
        const unit = decimal(Number(ratio))
        if (textOf(unit) === ratio)
          expect(textOf({ digits: times(count, unit.digits), scale: unit.scale })).toBe(amount)
      }
      const subtotal = lines.reduce((total, line) => total + Number(line.amount), 0)
      expect(Math.abs(quota - subtotal * price.group_ratio)).toBeLessThanOrEqual(1)
    }
  })
})

describe('bills of any size', () => {
  const random = seededRandom(21)
  const ratios = ['0', '0.1', '0.075', '1', '1.3333333333333333', '66.67', '0.821917808219178', '1000000', '0.0000001']
  const any = () => ratios[random(ratios.length)]!
  const DECIMALS = 64
  /** A decimal text × 10^64. */
  const scaled = (text: string) => {
    const [whole = '', fraction = ''] = text.split('.')
    return BigInt(whole + fraction.padEnd(DECIMALS, '0'))
  }

  test('a bill is the sum of count × ratio × group ratio in whole numbers without a limit, rounded once', () => {
    for (let round = 0; round < 3000; round++) {
      const [input, output, group] = [any(), any(), any()]
      const tables = { ModelRatio: { m: Number(input) }, CompletionRatio: { m: Number(output) } }
      const size = 10 ** random(13)
      const usage = usageOf({ input: random(9) * size, output: random(9) * size, cache_read: random(5000) })
      const ratio = scaled(input)
      const dearer = ratio * scaled(output)
      const parts = BigInt(usage.input + usage.cache_read) * ratio * 10n ** 64n + BigInt(usage.output) * dearer
      const unit = 10n ** BigInt(3 * DECIMALS)
      const total = (2n * parts * scaled(group) + unit) / (2n * unit)
      const least = wasUsed(usage) && ratio && group !== '0' ? 1 : 0
      const expected = Math.min(Number(total), Number.MAX_SAFE_INTEGER) || least
      expect(bill(usage, price(tables, { group_ratio: Number(group) })).quota).toBe(expected)
    }
  })
})

describe('finding the price', () => {
  test('a price per call overrides a ratio', () => {
    expect(price({ ModelPrice: { m: 0.1 }, ModelRatio: { m: 5 } })).toMatchObject({ mode: 'call', model_price: 0.1 })
    expect(price({ ModelRatio: { m: 5 } })).toMatchObject({ mode: 'tokens', model_price: -1, model_ratio: 5 })
  })

  test('a model without a price has none, unless unset prices are accepted', () => {
    const tables = { ...noTables, ModelRatio: { other: 1 } }
    expect(priceOf('m', tables, { group_ratio: 1, accept_unset: false })).toBeUndefined()
    expect(priceOf('constructor', tables, { group_ratio: 1, accept_unset: false })).toBeUndefined()
    expect(priceOf('m', tables, { group_ratio: 1, accept_unset: true })).toMatchObject({
      source: 'unset',
      model_ratio: 37.5,
    })
  })

  test('the fallback is for models with neither price nor ratio, and comes before the ratio of the unpriced', () => {
    const single = { fallback: { model_price: 0.02 } }
    const pair = { fallback: { model_ratio: 3, completion_ratio: 2 } }
    const terms = { accept_unset: true }
    expect(price({ ...single, ModelRatio: { m: 5 } }, terms)).toMatchObject({ source: 'listed', model_ratio: 5 })
    expect(price({ ...pair, ModelPrice: { m: 5 } }, terms)).toMatchObject({ source: 'listed', model_price: 5 })
    expect(price(single, terms)).toMatchObject({ source: 'fallback', mode: 'call', model_price: 0.02 })
    expect(price(pair)).toMatchObject({ source: 'fallback', mode: 'tokens', model_ratio: 3, completion_ratio: 2 })
  })

  test('a listed completion ratio wins over what is usual in the family', () => {
    const tables = { ModelRatio: { 'gpt-4o': 1.25, 'claude-sonnet-4-5': 1.5, m: 1 } }
    expect(price(tables, {}, 'gpt-4o').completion_ratio).toBe(4)
    expect(price({ ...tables, CompletionRatio: { 'gpt-4o': 3 } }, {}, 'gpt-4o').completion_ratio).toBe(3)
    expect(price({ ...tables, CompletionRatio: { 'gpt-4o': 0 } }, {}, 'gpt-4o').completion_ratio).toBe(0)
    expect(price(tables, {}, 'claude-sonnet-4-5').completion_ratio).toBe(5)
    expect(price(tables, {}, 'm').completion_ratio).toBe(1)
  })

  test('an entry ending in * is for all that begin so; the longest wins, the exact one first of all', () => {
    const tables = { ModelRatio: { 'gpt-4-gizmo-*': 15, 'gpt-4-gizmo-a*': 16, 'gpt-4-gizmo-abc': 17 } }
    expect(price(tables, {}, 'gpt-4-gizmo-xyz').model_ratio).toBe(15)
    expect(price(tables, {}, 'gpt-4-gizmo-abd').model_ratio).toBe(16)
    expect(price(tables, {}, 'gpt-4-gizmo-abc').model_ratio).toBe(17)
  })

  test('a mark of effort in the name does not change the price, unless it is listed', () => {
    const tables = {
      ModelRatio: { 'o3-mini': 0.55, 'o3-mini-low': 0.5, 'gemini-2.5-flash': 0.15 },
      CacheRatio: { 'o3-mini': 0.5 },
    }
    expect(price(tables, {}, 'o3-mini-high')).toMatchObject({ model_ratio: 0.55, cache_ratio: 0.5 })
    expect(price(tables, {}, 'o3-mini-low').model_ratio).toBe(0.5)
    expect(price(tables, {}, 'gemini-2.5-flash-thinking-2048').model_ratio).toBe(0.15)
    expect(priceOf('high', { ...noTables, ...tables }, { group_ratio: 1, accept_unset: false })).toBeUndefined()
  })
})
