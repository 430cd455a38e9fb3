/** Fields that list models beside the requested one: each is priced and allowed, the dearest is held, the answer billed. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { expectBillsComputable, setPrice } from '../../support/app/prices.ts'
import { client, MODEL, quotaOf, RICH } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import {
  ANTHROPIC,
  allowing,
  ask,
  billed,
  channel,
  type Door,
  OPENROUTER,
  PLAIN,
  received,
  reports,
} from '../../support/upstream/reporting-upstream.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'

const BILLS = 20
afterAll(() => expectBillsComputable(BILLS))

const DEAR = 'dear-model'
/** Of 1000 + 1000 tokens: output costs as much as input. */
const DEAR_QUOTA = 12.5 * 2000
const models = `${MODEL},${DEAR},cheap`

beforeEach(() => setPrice('ModelRatio', { [MODEL]: 1.25, [DEAR]: 12.5, cheap: 0.1 }))

const lists: [Door, number, object][] = [
  ['messages', ANTHROPIC, { fallbacks: [{ model: DEAR, max_tokens: 90, thinking: { type: 'disabled' } }] }],
  ['messages', ANTHROPIC, { fallbacks: [{ model: 'cheap' }, { model: DEAR }] }],
  ['chat', OPENROUTER, { models: [`vendor/${DEAR}`, 'cheap'], route: 'fallback' }],
  ['chat', OPENROUTER, { extra_body: { fallbacks: [DEAR] } }],
  ['chat', OPENROUTER, { fallbacks: [{ model: DEAR }] }],
  ['responses', OPENROUTER, { models: [DEAR] }],
]

describe.each(lists)('%p on channel type %p with %p', (door, type, fields) => {
  test('the list passes and costs what answered', async () => {
    await channel(type, {}, { models })
    for (const [model, quota, answered_by] of [
      [MODEL, PLAIN, undefined],
      [`${DEAR}-20260101`, DEAR_QUOTA, expect.stringContaining(DEAR)],
      ['cheap', PLAIN, undefined],
      ['unknown', DEAR_QUOTA, expect.stringContaining(DEAR)],
      ['', DEAR_QUOTA, expect.stringContaining(DEAR)],
    ] as const) {
      reports({ model })
      for (const stream of [false, true]) {
        const { paid, entry } = await billed(door, { ...fields, stream })
        expect([model, paid, entry.other.answered_by]).toEqual([model, quota, answered_by])
        expect(received.at(-1)!.body).toMatchObject(fields)
      }
    }
  })

  test('the dearest of the list is held', async () => {
    await channel(type, {}, { models })
    const poor = await client({}, 0.8 * PLAIN)
    const limit = door === 'responses' ? { max_output_tokens: 100 } : { max_tokens: 100 }
    reports({ usage: { input_tokens: 10, output_tokens: 10, prompt_tokens: 10, completion_tokens: 10 } })
    expect((await ask(poor, door, { ...limit, ...fields })).status).toBe(403)
    expect(received).toEqual([])
    expect((await ask(poor, door, limit)).status).toBe(200)
  })

  test('a model that the key may not use is refused, also where the channel allows the field', async () => {
    for (const setting of [{}, allowing('models', 'fallbacks')]) {
      await deleteChannels()
      await channel(type, setting, { models })
      const ann = await client({ model_limits_enabled: true, model_limits: `${MODEL},cheap` })
      const { status, message } = await errorOf(await ask(ann, door, fields as never))
      expect([status, message.includes(DEAR)]).toEqual([403, true])
      expect([received.length, await ann.balance()]).toEqual([0, RICH])
    }
  })

  test('a model without a price, or that the channel does not serve, is refused', async () => {
    await channel(type, {}, { models: `${MODEL},cheap` })
    const ann = await client()
    expect((await ask(ann, door, fields as never)).status).toBe(400)
    await deleteChannels()
    await setPrice('ModelRatio', { [MODEL]: 1.25, cheap: 0.1 })
    await channel(type, {}, { models })
    expect((await ask(ann, door, fields as never)).status).toBe(400)
    expect([received.length, await ann.balance()]).toEqual([0, RICH])
  })
})

test('a key for a model may list it with its provider before it', async () => {
  await channel(OPENROUTER, {}, { models })
  const ann = await client({ model_limits_enabled: true, model_limits: `${MODEL},${DEAR}` })
  const fields = { models: [`vendor/${DEAR}`] }
  expect((await ask(ann, 'chat', fields)).status).toBe(200)
  expect(received.at(-1)!.body).toMatchObject(fields)
  expect((await ask(ann, 'chat', { models: ['vendor/cheap'] })).status).toBe(403)
})

test('the requested model is held where the list is cheaper', async () => {
  await channel(OPENROUTER, {}, { models })
  const poor = await client({}, 200)
  expect((await ask(poor, 'chat', { max_tokens: 100, models: ['cheap'] })).status).toBe(403)
  expect(received).toEqual([])
})

test('the tariff of an entry is priced', async () => {
  await channel(ANTHROPIC, {}, { models })
  const fast = (speed: string) => ({ fallbacks: [{ model: MODEL, speed }] })
  expect((await billed('messages', fast('fast'))).paid).toBe(6 * PLAIN)
  reports({ usage: { speed: 'standard' } })
  expect((await billed('messages', fast('fast'))).paid).toBe(PLAIN)
  await setPrice('TariffRatio', {})
  const { param } = await errorOf(await ask(await client(), 'messages', fast('fast')))
  expect(param ?? 'fallbacks[0].speed').toBe('fallbacks[0].speed')
})

test('the limit of an entry is held, and lowered with that of the request', async () => {
  await channel(ANTHROPIC, {}, { models })
  const limits = { max_tokens: 100, fallbacks: [{ model: MODEL, max_tokens: 50_000 }, { model: 'cheap' }] }
  const poor = await client({}, quotaOf(500, 10_000))
  expect((await ask(poor, 'messages', limits)).status).toBe(200)
  const { max_tokens, fallbacks } = received[0]!.body as { max_tokens: number; fallbacks: { max_tokens: number }[] }
  expect(max_tokens).toBe(100)
  expect(fallbacks[0]!.max_tokens).toBeLessThan(11_000)
  expect(fallbacks[0]!.max_tokens).toBeGreaterThan(2000)
  expect(fallbacks[1]).toEqual({ model: 'cheap' } as never)
})

describe('the iterations of a report', () => {
  const part = (type: string, tokens: number, output: number, fields: object = {}) => ({
    ...{ type, input_tokens: tokens, output_tokens: output, cache_read_input_tokens: 0 },
    ...{ cache_creation_input_tokens: 0, cache_creation: null, ...fields },
  })

  test('the tokens of compactions are billed, which the sums leave out', async () => {
    await channel(ANTHROPIC)
    reports({ usage: { iterations: [part('compaction', 5000, 300), part('message', 1000, 1000)] } })
    for (const stream of [false, true]) expect((await billed('messages', { stream })).paid).toBe(quotaOf(6000, 1300))
  })

  test('attempts that were refused in mid-answer are billed, at the dearest of both models', async () => {
    await channel(ANTHROPIC, {}, { models })
    const declined = part('message', 900, 40, { model: MODEL })
    const before = part('message', 900, 0, { model: MODEL })
    const served = part('fallback_message', 1000, 1000, { model: DEAR })
    const fields = { fallbacks: [{ model: DEAR }] }
    for (const stream of [false, true]) {
      reports({ usage: { iterations: [declined, served] } })
      const whole = await billed('messages', { ...fields, stream })
      expect([whole.paid, whole.entry.other.answered_by]).toEqual([12.5 * (1900 + 1040), DEAR])
      reports({ usage: { iterations: [before, served] } })
      expect((await billed('messages', { ...fields, stream })).paid).toBe(DEAR_QUOTA)
    }
  })
})
