// @engine sqlite
/** Which models an upstream has and what is left to spend there: where each type is asked, and how its answers are read. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { now, shiftClock } from '../../src/process/clock.ts'
import { providerOf, type UpstreamQuery } from '../../src/providers/index.ts'

const line = { base_url: '', key: 'sk-1' }

/** Plays an inquiry against these answers, in order. */
function inquire<T>(inquiry: UpstreamQuery<T> | undefined, answers: unknown[], fields: object = {}) {
  const asking = inquiry!({ ...line, ...fields })
  const addresses: string[] = []
  let step = asking.next()
  while (!step.done) {
    addresses.push(step.value)
    step = asking.next(answers[addresses.length - 1])
  }
  return { addresses, found: step.value }
}

const ids = { data: [{ id: 'a' }, { id: 'b' }, { name: 'no id' }, null] }
const gemini = {
  models: [
    { name: 'models/a', supportedGenerationMethods: ['generateContent', 'countTokens'] },
    { name: 'models/b', supportedGenerationMethods: ['embedContent'] },
    { name: 'models/tuner', supportedGenerationMethods: ['createTunedModel'] },
  ],
}

const lists: [type: number, fields: object, address: string, answer: unknown][] = [
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
test.each(lists)('type %i, %p, lists its models at %s', (type, fields, address, answer) => {
  const { listModels } = providerOf(type)!
  expect(inquire(listModels, [answer], fields)).toEqual({ addresses: [address], found: ['a', 'b'] })
  for (const nothing of [undefined, null, 'no', [], { data: 3 }, { error: { message: 'no' } }]) {
    expect(inquire(listModels, [nothing], fields).found ?? []).toEqual([])
  }
})

test('a list that breaks off after its first page is as long as it was', () => {
  const first = { data: [{ id: 'a' }], has_more: true, last_id: 'a' }
  expect(inquire(providerOf(14)!.listModels, [first, { error: 'no' }]).found).toEqual(['a'])
})

test('Google’s models that draw at their own address are among those that it lists', () => {
  const models = [{ name: 'models/imagen-4', supportedGenerationMethods: ['predict'] }]
  expect(inquire(providerOf(24)!.listModels, [{ models }]).found).toEqual(['imagen-4'])
})

test('types without a list of their own say so', () => {
  for (const type of [22, 35]) expect(providerOf(type)!.listModels).toBeUndefined()
})

const balances: [type: number, address: string, answer: unknown, found: number][] = [
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
test.each(balances)('type %i tells what is left at %s', (type, address, answer, found) => {
  const { balance } = providerOf(type)!
  expect(inquire(balance, [answer])).toEqual({ addresses: [address], found })
  for (const nothing of [undefined, null, 'no', { data: null }, { data: { totalBalance: '' } }]) {
    expect(inquire(balance, [nothing]).found).toBeUndefined()
  }
})

const NOON = Date.UTC(2026, 1, 10, 12) / 1000
const toNoon = NOON - now()
beforeAll(() => shiftClock(toNoon))
afterAll(() => shiftClock(-toNoon))

const billing = 'https://api.openai.com/v1/dashboard/billing'
test('OpenAI is asked what may be spent, then what was spent since', () => {
  const { balance } = providerOf(1)!
  expect(inquire(balance, [{ hard_limit_usd: 120, has_payment_method: true }, { total_usage: 1250 }])).toEqual({
    addresses: [`${billing}/subscription`, `${billing}/usage?start_date=2026-02-01&end_date=2026-02-11`],
    found: 107.5,
  })
  const cardless = inquire(balance, [{ hard_limit_usd: 5, has_payment_method: false }, { total_usage: 0 }])
  expect(cardless.addresses[1]).toBe(`${billing}/usage?start_date=2025-11-02&end_date=2026-02-11`)
  expect(inquire(balance, [{ error: 'no' }])).toEqual({ addresses: [`${billing}/subscription`], found: undefined })
})

test('types that tell nobody have no balance', () => {
  for (const type of [3, 4, 14, 24, 26, 42, 45, 46, 47, 48, 49]) expect(providerOf(type)!.balance).toBeUndefined()
})
