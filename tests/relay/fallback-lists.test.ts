/** Lists of fallback models that the operator keeps for groups, and owners for their keys. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { setPrice } from '../support/app/prices.ts'
import { type Client, client, clientOf, MODEL, RICH } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { errorOf } from '../support/people/responses.ts'
import { chat, refuses } from '../support/upstream/chat-scripts.ts'
import { ask, channel, type Door, OPENAI, received } from '../support/upstream/reporting-upstream.ts'
import { served } from '../support/upstream/served-channel.ts'

const NEXT = 'next-model'
const OTHER = 'spare-model'
const prices = { [MODEL]: 1.25, [NEXT]: 12.5, [OTHER]: 5 }
/** Of 1000 + 1000 tokens: output costs as much as input. */
const NEXT_QUOTA = 12.5 * 2000
const OTHER_QUOTA = 5 * 2000

const lists = (value: object) => setOption('GroupFallbacks', JSON.stringify(value))

beforeEach(async () => {
  await setPrice('ModelRatio', prices)
  await setPrice('GroupRatio', { default: 1, vip: 2 })
  await setPrice('UserUsableGroups', { default: '', vip: '' })
  await setOption('QueueTimeout', 0)
  await setOption('RetryTimes', 0)
})
afterAll(async () => {
  await lists({})
  await setOption('QueueTimeout', 10)
})

async function lastEntry({ person }: Client) {
  const [entry] = await logsOf(person)
  return entry
}

const doors: Door[] = ['chat', 'messages', 'responses', 'gemini', 'gemini_stream']

test.each(doors)('%s: the group’s list serves what the requested model cannot, at its own price', async door => {
  await lists({ default: { [MODEL]: [NEXT] } })
  const first = await served(refuses(500))
  await channel(OPENAI, {}, { models: NEXT })
  const ann = await client()
  expect((await ask(ann, door)).status).toBe(200)
  expect([first.calls(), received.at(-1)!.body.model]).toEqual([1, NEXT])
  expect(await ann.balance()).toBe(RICH - NEXT_QUOTA)
  const { model_name, quota, other } = await lastEntry(ann)
  expect({ model_name, quota }).toEqual({ model_name: NEXT, quota: NEXT_QUOTA })
  expect(other.passed_over).toEqual([{ group: 'default', model: MODEL, why: 'failed' }])
})

describe('which list holds', () => {
  test('the one of the model before the one of *, which holds for models without a list', async () => {
    await lists({ default: { '*': [NEXT, MODEL], [MODEL]: [OTHER] } })
    for (const model of [NEXT, OTHER]) await channel(OPENAI, {}, { models: model })
    const ann = await client()
    expect((await ann.chat()).status).toBe(200)
    expect(received.at(-1)!.body.model).toBe(OTHER)
    expect((await ann.chat({ model: 'unlisted' })).status).toBe(200)
    expect(received.at(-1)!.body.model).toBe(NEXT)
  })

  test('the nearest alone: that of the request, else of the key, else of the group', async () => {
    await lists({ default: { '*': [OTHER] } })
    for (const model of [NEXT, OTHER]) await channel(OPENAI, {}, { models: model })
    const keyed = await client({ fallback_models: NEXT })
    const answers = async (fields: object) => {
      const response = await keyed.chat({ ...fields })
      return response.ok ? received.at(-1)!.body.model : response.status
    }
    expect(await answers({})).toBe(NEXT)
    expect(await answers({ models: [OTHER] })).toBe(OTHER)
    await served(refuses(500), { models: OTHER, priority: 5 }, OTHER)
    expect(await answers({ models: [OTHER] })).toBe(502)
  })

  test('each group’s in that group alone, after the requested model has been tried in all of them', async () => {
    await lists({ default: { '*': [NEXT] }, vip: { '*': [OTHER] } })
    const first = await served(refuses(500))
    await served(refuses(500), { models: NEXT }, NEXT)
    await channel(OPENAI, {}, { models: `${NEXT},${OTHER}`, group: 'vip' })
    const ann = await client({ fallback_groups: 'vip' })
    expect((await ann.chat()).status).toBe(200)
    expect([first.calls(), await ann.balance()]).toEqual([1, RICH - 2 * OTHER_QUOTA])
    const { group, model_name, other } = await lastEntry(ann)
    expect([group, model_name]).toEqual(['vip', OTHER])
    expect(other.passed_over).toEqual([
      { group: 'default', model: MODEL, why: 'failed' },
      { group: 'vip', model: MODEL, why: 'no_channel' },
      { group: 'default', model: NEXT, why: 'failed' },
    ])
  })

  test('none for embeddings, and for the playground', async () => {
    await lists({ default: { '*': [NEXT] } })
    const next = await served(chat(), { models: NEXT }, NEXT)
    const ann = await client({ fallback_models: NEXT })
    expect((await ann.postTo('/v1/embeddings', { model: MODEL, input: 'a' })).status).toBe(404)
    const body = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }] })
    const headers = { 'content-type': 'application/json' }
    const played = await ann.person.fetch('/pg/chat/completions', { method: 'POST', body, headers })
    expect(played.status).toBe(404)
    expect(next.calls()).toBe(0)
  })
})

test('a channel that the key names serves alone: neither list is tried', async () => {
  await lists({ default: { '*': [NEXT] } })
  const named = await served(refuses(500))
  const next = await served(chat(), { models: NEXT }, NEXT)
  const admin = await clientOf(await setUp(), { fallback_models: NEXT })
  const body = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] }
  const headers = { authorization: `Bearer sk-${admin.key}-${named.id}` }
  expect((await admin.post(body, { headers })).status).toBe(502)
  expect([named.calls(), next.calls()]).toEqual([1, 0])
})

describe('a model of a list is passed over', () => {
  test('once its price is gone, and the log says so', async () => {
    await lists({ default: { [MODEL]: [NEXT, OTHER] } })
    await setPrice('ModelRatio', { [MODEL]: 1.25, [OTHER]: 5 })
    const next = await served(chat(), { models: NEXT }, NEXT)
    await channel(OPENAI, {}, { models: OTHER })
    const ann = await client()
    expect((await ann.chat()).status).toBe(200)
    expect([next.calls(), await ann.balance()]).toEqual([0, RICH - OTHER_QUOTA])
    expect((await lastEntry(ann)).other.passed_over).toEqual([
      { group: 'default', model: MODEL, why: 'no_channel' },
      { group: 'default', model: NEXT, why: 'unpriced' },
    ])
  })

  test('where it is the requested one, which a list for all may have: that is tried once', async () => {
    await lists({ default: { '*': [MODEL, NEXT] } })
    await channel(OPENAI, {}, { models: NEXT })
    for (const ann of [await client(), await client({ fallback_models: `${MODEL},${NEXT}` })]) {
      expect((await ann.chat()).status).toBe(200)
      expect((await lastEntry(ann)).other.passed_over).toEqual([{ group: 'default', model: MODEL, why: 'no_channel' }])
    }
  })

  test('where the key may not use it', async () => {
    await lists({ default: { [MODEL]: [NEXT, OTHER] } })
    for (const model of [NEXT, OTHER]) await channel(OPENAI, {}, { models: model })
    const limits = { model_limits_enabled: true, model_limits: `${MODEL},${OTHER}` }
    const ann = await client(limits)
    expect((await ann.chat()).status).toBe(200)
    expect(received.map(({ body }) => body.model)).toEqual([OTHER])
    expect((await lastEntry(ann)).other.passed_over.at(-1)).toEqual({ group: 'default', model: NEXT, why: 'forbidden' })
  })
})

test('a call that no model of the list serves is refused for what failed, and is not billed', async () => {
  await lists({ default: { '*': [NEXT, OTHER] } })
  const first = await served(refuses(500))
  const ann = await client()
  expect(await errorOf(await ann.chat())).toMatchObject({ status: 502 })
  expect([first.calls(), await ann.balance()]).toEqual([1, RICH])
})

describe('a call that nothing serves is told of the model that it asked for', () => {
  const unserved = { status: 404, code: 'model_not_found', message: expect.stringContaining('unlisted') }

  test('where the models of the list have no channel', async () => {
    await lists({ default: { '*': [NEXT, OTHER] } })
    expect(await errorOf(await (await client()).chat({ model: 'unlisted' }))).toMatchObject(unserved)
  })

  test('where the key may not use those of the list, or they have lost their price', async () => {
    await lists({ default: { '*': [NEXT, OTHER] } })
    for (const model of [NEXT, OTHER]) await channel(OPENAI, {}, { models: model })
    await setPrice('ModelRatio', { [MODEL]: 1.25, [NEXT]: 12.5 })
    const ann = await client({ model_limits_enabled: true, model_limits: `unlisted,${OTHER}` })
    expect(await errorOf(await ann.chat({ model: 'unlisted' }))).toMatchObject(unserved)
  })

  test('unless one of the list was asked, and has failed', async () => {
    await lists({ default: { '*': [NEXT] } })
    await served(refuses(503), { models: NEXT }, NEXT)
    expect(await errorOf(await (await client()).chat({ model: 'unlisted' }))).toMatchObject({ status: 503 })
  })
})
