// @engine sqlite
/** Model lists and balances: the URLs of the queries by channel type, and how responses are read. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { now, shiftClock } from '../../src/process/clock.ts'
import { providerOf, type UpstreamQuery } from '../../src/providers/index.ts'

const config = { base_url: '', key: 'sk-1' }

/** Runs a query against these response bodies, in order. */
function run<T>(query: UpstreamQuery<T> | undefined, bodies: unknown[], fields: object = {}) {
  const running = query!({ ...config, ...fields })
  const urls: string[] = []
  let step = running.next()
  while (!step.done) {
    urls.push(step.value)
    step = running.next(bodies[urls.length - 1])
  }
  return { urls, found: step.value }
}

const ids = { data: [{ id: 'a' }, { id: 'b' }, { name: 'no id' }, null] }
const gemini = {
  models: [
    { name: 'models/a', supportedGenerationMethods: ['generateContent', 'countTokens'] },
    { name: 'models/b', supportedGenerationMethods: ['embedContent'] },
    { name: 'models/tuner', supportedGenerationMethods: ['createTunedModel'] },
  ],
}

const lists: [type: number, fields: object, url: string, body: unknown][] = [
  [1, {}, 'https://api.openai.com/v1/models', ids],
  [3, { base_url: 'https://a.example' }, 'https://a.example/openai/models?api-version=2024-12-01-preview', ids],
  [4, {}, 'http://localhost:11434/api/tags', { models: [{ name: 'a' }, { name: 'b' }] }],
  [8, { base_url: 'https://a.example/v1/chat/completions' }, 'https://a.example/v1/models', ids],
  [14, {}, 'https://api.anthropic.com/v1/models?limit=1000', { ...ids, has_more: false }],
  [24, {}, 'https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000', gemini],
  [26, {}, 'https://open.bigmodel.cn/api/paas/v4/models', ids],
  [40, {}, 'https://api.siliconflow.cn/v1/models', ids],
  [45, {}, 'https://ark.cn-beijing.volces.com/api/v3/models', ids],
  [46, {}, 'https://qianfan.baidubce.com/v2/models', ids],
  [49, {}, 'https://models.github.ai/catalog/models', [{ id: 'a' }, { id: 'b' }]],
]
test.each(lists)('type %i: with %p, models are listed at %s', (type, fields, url, body) => {
  const { listModels } = providerOf(type)!
  expect(run(listModels, [body], fields)).toEqual({ urls: [url], found: ['a', 'b'] })
  for (const nothing of [undefined, null, 'no', [], { data: 3 }, { error: { message: 'no' } }]) {
    expect(run(listModels, [nothing], fields).found ?? []).toEqual([])
  }
})

test('Anthropic: a model list that fails on its second page keeps the first', () => {
  const first = { data: [{ id: 'a' }], has_more: true, last_id: 'a' }
  expect(run(providerOf(14)!.listModels, [first, { error: 'no' }]).found).toEqual(['a'])
})

test('Gemini: the model list contains Imagen models', () => {
  const models = [{ name: 'models/imagen-4', supportedGenerationMethods: ['predict'] }]
  expect(run(providerOf(24)!.listModels, [{ models }]).found).toEqual(['imagen-4'])
})

test('FastGPT and MiniMax have no model list', () => {
  for (const type of [22, 35]) expect(providerOf(type)!.listModels).toBeUndefined()
})

const balances: [type: number, url: string, body: unknown, found: number][] = [
  [20, 'https://openrouter.ai/api/v1/credits', { data: { total_credits: 20.5, total_usage: 8.25 } }, 12.25],
  [25, 'https://api.moonshot.cn/v1/users/me/balance', { code: 0, data: { available_balance: 49.58 } }, 49.58],
  [
    40,
    'https://api.siliconflow.cn/v1/user/info',
    { code: 20000, data: { totalBalance: '88.00', balance: '0.88' } },
    88,
  ],
  [
    43,
    'https://api.deepseek.com/user/balance',
    {
      is_available: true,
      balance_infos: [
        { currency: 'USD', total_balance: '2.00' },
        { currency: 'CNY', total_balance: '110.50' },
      ],
    },
    110.5,
  ],
  [43, 'https://api.deepseek.com/user/balance', { balance_infos: [{ currency: 'USD', total_balance: '2.00' }] }, 2],
]
test.each(balances)('type %i: the balance is read from %s', (type, url, body, found) => {
  const { balance } = providerOf(type)!
  expect(run(balance, [body])).toEqual({ urls: [url], found })
  for (const nothing of [undefined, null, 'no', { data: null }, { data: { totalBalance: '' } }]) {
    expect(run(balance, [nothing]).found).toBeUndefined()
  }
})

const NOON = Date.UTC(2026, 1, 10, 12) / 1000
const toNoon = NOON - now()
beforeAll(() => shiftClock(toNoon))
afterAll(() => shiftClock(-toNoon))

const billing = 'https://api.openai.com/v1/dashboard/billing'
test('OpenAI: the balance is the limit less the usage of the month, or of 100 days without a card', () => {
  const { balance } = providerOf(1)!
  expect(run(balance, [{ hard_limit_usd: 120, has_payment_method: true }, { total_usage: 1250 }])).toEqual({
    urls: [`${billing}/subscription`, `${billing}/usage?start_date=2026-02-01&end_date=2026-02-11`],
    found: 107.5,
  })
  const cardless = run(balance, [{ hard_limit_usd: 5, has_payment_method: false }, { total_usage: 0 }])
  expect(cardless.urls[1]).toBe(`${billing}/usage?start_date=2025-11-02&end_date=2026-02-11`)
  expect(run(balance, [{ error: 'no' }])).toEqual({ urls: [`${billing}/subscription`], found: undefined })
})

test('providers without a balance API have no balance query', () => {
  for (const type of [3, 4, 14, 24, 26, 42, 45, 46, 47, 48, 49]) expect(providerOf(type)!.balance).toBeUndefined()
})
