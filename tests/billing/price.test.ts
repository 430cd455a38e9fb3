// @engine sqlite
/** Parts of a price: which entry of a table counts, tariffs, tools, tiers; and amounts at their limits. */
import { describe, expect, test } from 'bun:test'
import { bill } from '../../src/billing/bill.ts'
import { type PriceTables, priceAt, priceOf, tierFor } from '../../src/billing/price.ts'
import { entry, listed, namesOf } from '../../src/billing/price-table.ts'
import { balanceText, fromQuota, moneyText, quotaText, toQuota } from '../../src/billing/quota.ts'
import { hourRatio } from '../../src/billing/rate.ts'
import { amountRange, payableFor, topUpOf } from '../../src/billing/top-up.ts'
import { buckets, completionTokens, countOf, promptTokens, usageOf, wasUsed } from '../../src/billing/usage.ts'

const noTables: PriceTables = {
  ...{ ModelPrice: {}, ModelRatio: { m: 1 }, CompletionRatio: {}, CacheRatio: {}, CacheCreationRatio: {} },
  ...{ CacheCreationHourRatio: {}, AudioRatio: {}, AudioCompletionRatio: {}, ImageRatio: {}, ReasoningRatio: {} },
  ...{ TierRatio: {}, ToolPrice: {}, QuotaPerUnit: 500_000, families: [], version: 'test' },
}
const price = (tables: Partial<PriceTables> = {}, model = 'm') =>
  priceOf(model, { ...noTables, ...tables }, { group_ratio: 1, accept_unset: false })!

describe('entries', () => {
  test.each([
    ['gpt-4o', 1],
    ['gpt-4o-mini', 2],
    ['gpt-4o-audio', 3],
    ['gpt-4o-audio-x', 3],
    ['gpt-5', 4],
    ['o3', undefined],
    ['toString', undefined],
  ])('the name %s finds its own entry, else the longest prefix: %p', (name, value) => {
    const table = { 'gpt-4o': 1, 'gpt-4o-mini': 2, 'gpt-4o-a*': 3, 'gpt-*': 4, 'gpt-4*': 5 }
    expect(entry(table, name)).toBe(value)
  })

  test.each([
    ...['thinking', 'thinking-1024', 'nothinking', 'max', 'xhigh', 'high', 'medium', 'low', 'minimal', 'none'].map(
      effort => [`m-${effort}`, [`m-${effort}`, 'm']] as const,
    ),
    ['m', ['m']],
    ['m-thinking-x', ['m-thinking-x']],
    ['m-highest', ['m-highest']],
  ] as const)('the model %s is listed under %j', (model, names) => {
    expect(namesOf(model)).toEqual([...names])
  })

  test('an own entry of a suffixed name comes before that of the model', () => {
    expect([listed({ m: 1, 'm-high': 2 }, 'm-high'), listed({ m: 1 }, 'm-high'), listed({}, 'm-high')]).toEqual([
      ...[2, 1, undefined],
    ])
  })
})

describe('tariffs', () => {
  const tariffs = price({ TariffRatio: { priority: 2, 'priority:m': 3, flex: 0.5, 'flex:other': 9 } })

  test.each([
    ['priority', 3],
    ['flex', 0.5],
    ['fast', undefined],
    ['toString', undefined],
  ])('the tariff %s has the factor %p, of the model before that of all', (name, factor) => {
    expect(tariffs.tariff(name)).toBe(factor)
    expect(price().tariff(name)).toBeUndefined()
  })

  test.each([
    [{}, 100],
    [{ service_tier: 'priority' }, 300],
    [{ service_tier: 'flex' }, 50],
    [{ service_tier: 'fast' }, 100],
    [{ service_tier: 'priority', speed: 'flex' }, 150],
  ])('usage under %j costs %d, whatever was asked for before', (chosen, quota) => {
    const before: Record<string, string>[] = [{ service_tier: 'flex' }, { service_tier: 'priority' }, {}]
    for (const first of before) {
      tariffs.under(first)
      expect(bill(usageOf({ input: 100 }), tariffs.under(chosen)).quota).toBe(quota)
    }
    expect(bill(usageOf({ input: 100, tariffs: chosen }), tariffs).quota).toBe(quota)
  })
})

describe('tools', () => {
  const tools = price({ ToolPrice: { web_search: 10, 'web_search:m': 20, file_search: 2, 'code:other': 5 } })

  test('a tool has the price of the model, else of all; one with a price for other models alone is unlisted', () => {
    const rates = [...tools.tools].map(([name, { unit_price, per, unlisted }]) => [name, unit_price, per, unlisted])
    expect(rates).toEqual([
      ['web_search', 20, 1000, undefined],
      ['file_search', 2, 1000, undefined],
      ['code', 0, 1000, true],
    ])
  })

  test('lines of tools stand in the order of their names, behind the tokens', () => {
    const used = usageOf({ input: 1, tools: { web_search: 1, code: 2, file_search: 3, none: 0 } })
    expect(bill(used, tools).lines.map(({ bucket, count }) => [bucket, count])).toEqual([
      ['input', 1],
      ['tool:code', 2],
      ['tool:file_search', 3],
      ['tool:web_search', 1],
    ])
  })
})

describe('tiers', () => {
  const TierRatio = {
    m: [
      { from: 100, model_ratio: 2 },
      { from: 200, model_ratio: 3 },
    ],
  }
  const tiered = price({ TierRatio })

  test.each([
    [0, 1],
    [99, 1],
    [100, 2],
    [199, 2],
    [200, 3],
  ])('a prompt of %d tokens has the ratio %d', (prompt, ratio) => {
    expect(priceAt(tiered, prompt).model_ratio).toBe(ratio)
    expect(tierFor(tiered, usageOf({ input: prompt })).model_ratio).toBe(ratio)
    const by_tier = (...prompts: number[]) => new Map(prompts.map(from => [from, usageOf({ input: 1 })]))
    expect(tierFor(tiered, usageOf({ input: 500, by_tier: by_tier(prompt) })).model_ratio).toBe(ratio)
    // Prompts of several tiers have no tier together.
    expect(tierFor(tiered, usageOf({ input: 500, by_tier: by_tier(prompt, 201) })).model_ratio).toBe(1)
  })

  test('the lines of a bill name their tiers where there are several', () => {
    const tiersOf = (...prompts: number[]) => {
      const by_tier = new Map(prompts.map(from => [from, usageOf({ input: 10 })]))
      return bill(usageOf({ input: 10 * prompts.length, by_tier }), tiered).lines.map(({ tier }) => tier)
    }
    expect([tiersOf(0), tiersOf(200), tiersOf(0, 200)]).toEqual([[undefined], [undefined], [undefined, 200]])
    expect(bill(usageOf({ input: 300 }), tiered).lines).not.toContainEqual(expect.objectContaining({ tier: 200 }))
  })

  test('a price per call has no tiers', () => {
    const perCall = price({ ModelPrice: { m: 1 }, TierRatio })
    expect([perCall.tiers, perCall.mode]).toEqual([[], 'call'])
  })

  test('an hour of cache costs 1.6 times five minutes, unless it has a ratio', () => {
    expect(hourRatio(price({ CacheCreationRatio: { m: 1.25 } }))).toBe(2)
    expect(hourRatio(price({ CacheCreationRatio: { m: 1.25 }, CacheCreationHourRatio: { m: 0 } }))).toBe(0)
  })
})

describe('counts', () => {
  test('each bucket is a part of the prompt or of the output', () => {
    const usage = usageOf(Object.fromEntries(buckets.map((bucket, at) => [bucket, 10 ** at])))
    expect([promptTokens(usage), completionTokens(usage)]).toEqual([111_111, 111_000_000])
    for (const bucket of buckets) expect(wasUsed(usageOf({ [bucket]: 1 }))).toBe(true)
    expect(
      [{}, { calls: 1 }, { tools: { t: 1 } }, { tools: { t: 0 } }, { reasoning: 5 }].map(usageOf).map(wasUsed),
    ).toEqual([false, true, true, false, false])
  })

  test.each([
    [undefined, 0],
    [Number.NaN, 0],
    [-1, 0],
    [0.9, 0],
    [1.9, 1],
    [Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER],
  ])('a reported count of %p is %d', (reported, count) => {
    expect(countOf(reported)).toBe(count)
  })
})

describe('amounts', () => {
  const money = { quota_per_unit: 1000, display_in_currency: true }
  const units = { quota_per_unit: 1000, display_in_currency: false }

  test.each([
    [0, '$0.00'],
    [4, '$0.004000'],
    [5, '$0.01'],
    [-4, '−$0.004000'],
    [1_234_560, '$1,234.56'],
  ])('a balance of %d is %s', (quota, text) => {
    expect(balanceText(quota, money)).toBe(text)
    expect(quotaText(quota, units, 2)).toBe(quota.toLocaleString('en').replace('-', '−'))
  })

  test.each([
    [1.5, 2, 6, '$1.50'],
    [0.123456789, 2, 6, '$0.123457'],
    [0.1, 2, undefined, '$0.10'],
    [-0.001, 2, undefined, '$0.00'],
  ])('%d with %d to %p places is %s', (amount, places, upTo, text) => {
    expect(moneyText(amount, places, upTo)).toBe(text)
  })

  test('an amount becomes quota and text again', () => {
    expect([toQuota(1.5, money), toQuota(0.0005, money), toQuota(1.5, units)]).toEqual([1500, 1, 2])
    expect([fromQuota(1500, money), fromQuota(50_000, money), fromQuota(1500, units)]).toEqual(['1.5', '50', '1500'])
  })
})

describe('top-ups', () => {
  const terms = { price: 7.3, ratio: 1, min_topup: 3, quota_per_unit: 500, display_in_currency: true }
  const inUnits = { ...terms, display_in_currency: false }

  test('the range is in units of currency, or in quota rounded up', () => {
    expect(amountRange(terms)).toEqual({ min: 3, max: 1_000_000 })
    expect(amountRange(inUnits)).toEqual({ min: 1500, max: 500_000_000 })
    expect(amountRange({ ...inUnits, quota_per_unit: 0.5 })).toEqual({ min: 2, max: 500_000 })
    expect(amountRange({ ...inUnits, quota_per_unit: 0.4 })).toEqual({ min: 2, max: 400_000 })
  })

  test.each([
    ['2', '—'],
    ['3', '¥21.90'],
    [' 1,000 ', '¥7,300.00'],
    ['1000000', '¥7,300,000.00'],
    ['1000001', '—'],
    ['3.5', '—'],
    ['', '—'],
  ])('the typed amount %p costs %s', (typed, cost) => {
    expect(payableFor(typed, terms).money).toBe(cost)
  })

  test('a sum is rounded once, with price and ratio', () => {
    expect(topUpOf(3, { ...terms, ratio: 0.333 })).toEqual({ quota: 1500, money_cents: 729 })
    expect(topUpOf(1501, inUnits)).toEqual({ quota: 1501, money_cents: 2191 })
  })
})
