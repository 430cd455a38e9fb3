/** Prices of groups, fallback prices, the smallest price, reservations by tier, and prices changed within a call. */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../../src/db/database.ts'
import { users } from '../../../src/domain/users/table.ts'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { formats } from '../../../src/formats/index.ts'
import { logsOf } from '../../support/app/logs.ts'
import { expectBillsComputable, lastBill, resetPrices, setPrice } from '../../support/app/prices.ts'
import { client, clientOf, MODEL, RICH } from '../../support/people/client.ts'
import { visitor } from '../../support/people/person.ts'
import { errorOf, readStream } from '../../support/people/responses.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { deleteChannels, served } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, serverOf } from '../../support/upstream/translation.ts'

const BILLS = 40

afterEach(async () => {
  await deleteChannels()
  await resetPrices()
})
afterAll(() => expectBillsComputable(BILLS))

const CACHED = { prompt_tokens: 1000, completion_tokens: 500, prompt_tokens_details: { cached_tokens: 200 } }

test('the ratio of a user group replaces that of the group that is used', async () => {
  await served(chat({ usage: CACHED }), { group: 'default,vip' })
  await setPrice('GroupRatio', { default: 1, vip: 0.8 })
  await setPrice('UserUsableGroups', { default: 'all', vip: 'friends' })
  await setPrice('GroupGroupRatio', { vip: { default: 0.5 }, constructor: { default: 0 } })
  const vip = await visitor(1, RICH)
  await db.update(users).set({ group: 'vip' }).where(eq(users.id, vip.id))
  const [inDefault, inOwn] = [await clientOf(vip, { group: 'default' }), await clientOf(vip)]
  const [other, plain] = [await client({ group: 'vip' }), await client()]

  await inDefault.chat()
  expect((await logsOf(vip))[0]).toMatchObject({ quota: 1813, other: { group_ratio: 0.5, user_group_ratio: 0.5 } })
  await plain.chat()
  expect((await logsOf(plain.person))[0]).toMatchObject({ quota: 3625, other: { group_ratio: 1 } })
  await inOwn.chat()
  const [own] = await logsOf(vip)
  expect([own.quota, own.other.group_ratio, own.other.user_group_ratio]).toEqual([2900, 0.8, undefined])
  await other.chat()
  expect((await logsOf(other.person))[0]).toMatchObject({ quota: 2900, group: 'vip' })

  const offers = async () => (await vip.get('/api/user/self/groups')).data
  expect(await offers()).toEqual({ default: { ratio: 0.5, desc: 'all' }, vip: { ratio: 0.8, desc: 'friends' } })
  expect((await vip.get('/api/pricing')).group_ratio).toEqual({ default: 0.5, vip: 0.8 })
})

test('a model without a price has the fallback price, per call or by two ratios', async () => {
  await served(chat({ usage: { prompt_tokens: 100, completion_tokens: 10 } }), { models: 'unlisted' }, 'unlisted')
  const call = async () => {
    const ann = await client()
    const answer = await ann.chat({ model: 'unlisted' })
    return answer.ok ? RICH - (await ann.balance()) : (await errorOf(answer)).code
  }
  expect(await call()).toBe('model_unpriced')
  await setPrice('fallback_pricing_enabled', true)
  await setPrice('fallback_single_price', 0.01)
  expect(await call()).toBe(5000)
  await setPrice('fallback_single_price', '')
  await setPrice('fallback_input_ratio', 3)
  expect(await call()).toBe('model_unpriced')
  await setPrice('fallback_completion_ratio', 2)
  expect(await call()).toBe(360)
})

test('a free model and a free group cost nothing, and the smallest price costs at least 1', async () => {
  await setPrice('ModelRatio', { free: 0, tiny: 0.01 })
  await served(chat({ usage: { prompt_tokens: 3, completion_tokens: 1 } }), { models: 'free' }, 'free')
  await served(chat({ usage: { prompt_tokens: 3, completion_tokens: 1 } }), { models: 'tiny' }, 'tiny')
  const ann = await client()
  for (const [model, left] of [
    ['free', RICH],
    ['tiny', RICH - 1],
  ] as const) {
    expect((await ann.chat({ model })).status).toBe(200)
    expect([model, await ann.balance()]).toEqual([model, left])
  }
  await setPrice('GroupRatio', { default: 0 })
  expect((await ann.chat({ model: 'tiny' })).status).toBe(200)
  expect(await ann.balance()).toBe(RICH - 1)
})

const reports: Record<ClientFormatName, object> = {
  'openai-chat': { usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } },
  'openai-responses': { usage: { input_tokens: 3, output_tokens: 1, total_tokens: 4 } },
  anthropic: { usage: { input_tokens: 3, output_tokens: 1 } },
  gemini: { usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4 } },
}

const texts: Record<ClientFormatName, object> = {
  'openai-chat': { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }] },
  'openai-responses': {
    output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi', annotations: [] }] }],
    ...{ object: 'response', status: 'completed' },
  },
  anthropic: { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn' },
  gemini: { candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] },
}

test('calls of 0.4 quota cost 1 each between any two formats', async () => {
  await setPrice('ModelRatio', { [MODEL]: 0.1 })
  await setPrice('CompletionRatio', { [MODEL]: 1 })
  const ann = await client()
  for (const upstream of formats) {
    await channelFor(upstream)
    serverOf(upstream).scripts(answer => answer.json({ id: 'x', model: 'm', ...texts[upstream], ...reports[upstream] }))
    for (const format of formats) {
      const before = await ann.balance()
      for (let call = 0; call < 2; call++) expect((await callIn(format, ann)).status).toBe(200)
      expect([format, upstream, before - (await ann.balance())]).toEqual([format, upstream, 2])
    }
    await deleteChannels()
  }
})

const LONG = 'word '.repeat(3000)

test('a long prompt is reserved at its tier', async () => {
  const says = { messages: [{ role: 'user', content: LONG }], max_tokens: 100 }
  await served(chat({ usage: { prompt_tokens: 3000, completion_tokens: 10 } }))
  const poor = await client({}, 20_000)
  expect((await poor.chat(says)).status).toBe(200)
  await setPrice('TierRatio', { [MODEL]: [{ from: 1000, model_ratio: 50 }] })
  expect(await errorOf(await poor.chat(says))).toMatchObject({ status: 403, code: 'insufficient_user_quota' })
  expect((await poor.chat({ max_tokens: 100 })).status).toBe(200)
})

test('output beyond the reservation is reserved at the tier of the prompt', async () => {
  await setPrice('TierRatio', { [MODEL]: [{ from: 1000, model_ratio: 10, completion_ratio: 100 }] })
  const usage = { prompt_tokens: 3000, completion_tokens: 1500 }
  await served(chat({ text: 'word '.repeat(3000), usage, chunks: 100, pause_ms: 1 }))
  const says = { messages: [{ role: 'user', content: LONG }], stream: true }
  // The prompt and 1,000 tokens of output cost about 1,040,000; at the lowest tier the next 1,000 cost only 5,000.
  const poor = await client({}, 1_200_000)
  expect(await readStream(await poor.chat(says))).toMatchObject({ error: { code: 'insufficient_user_quota' } })
})

test('a call keeps the price at which it began', async () => {
  const [begun, changedPrices] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await served(async (call, answer) => {
    begun.resolve()
    await changedPrices.promise
    await chat({ usage: CACHED })(call, answer)
  })
  const ann = await client()
  const call = ann.chat()
  await begun.promise
  await setPrice('ModelRatio', { [MODEL]: 100 })
  await setPrice('TierRatio', { [MODEL]: [{ from: 1, model_ratio: 7 }] })
  await setPrice('GroupRatio', { default: 9 })
  await setPrice('QuotaPerUnit', 1_000_000)
  changedPrices.resolve()
  expect((await call).headers.get('x-tollgate-cost')).toBe('0.00725')
  const { entry, paid } = await lastBill(ann)
  expect([paid, entry.quota, entry.other.model_ratio, entry.other.group_ratio]).toEqual([3625, 3625, 1.25, 1])
})
