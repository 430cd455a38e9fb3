/** `models` of a request: each serves it where the one before cannot, at its own price. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { setPrice } from '../support/app/prices.ts'
import { type Client, client, MODEL, RICH } from '../support/people/client.ts'
import { chat, refuses } from '../support/upstream/chat-scripts.ts'
import { ask, channel, type Door, OPENAI, OPENROUTER, PLAIN, received } from '../support/upstream/reporting-upstream.ts'
import { served } from '../support/upstream/served-channel.ts'

const DEAR = 'dear-model'
/** Of 1000 + 1000 tokens: output costs as much as input. */
const DEAR_QUOTA = 12.5 * 2000

beforeEach(async () => {
  await setPrice('ModelRatio', { [MODEL]: 1.25, [DEAR]: 12.5 })
  await setPrice('GroupRatio', { default: 1, vip: 2 })
  await setOption('QueueTimeout', 0)
  await setOption('RetryTimes', 0)
})
afterAll(() => setOption('QueueTimeout', 10))

async function lastEntry({ person }: Client) {
  const [entry] = await logsOf(person)
  return entry
}

/** The fields of a way in: all formats take the list. */
const asked = (door: Door, stream: boolean, models: unknown) =>
  door.startsWith('gemini') ? { models } : { models, stream }
const doors: Door[] = ['chat', 'messages', 'responses', 'gemini', 'gemini_stream']
const ways = doors.flatMap(door => (door.startsWith('gemini') ? [false] : [false, true]).map(is => [door, is] as const))

describe.each(ways)('%s, stream %p', (door, stream) => {
  test('the next model answers where the first has failed, at its price, and is asked without the list', async () => {
    const first = await served(refuses(500))
    await channel(OPENAI, {}, { models: DEAR })
    const ann = await client()
    const response = await ask(ann, door, asked(door, stream, [MODEL, DEAR]))
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Hi')])
    expect(first.calls()).toBe(1)
    expect(first.upstream.journal[0]!.body.models).toBeUndefined()
    expect(received.at(-1)!.body).toMatchObject({ model: DEAR })
    expect(received.at(-1)!.body.models).toBeUndefined()
    expect(await ann.balance()).toBe(RICH - DEAR_QUOTA)
    const { model_name, quota, other } = await lastEntry(ann)
    expect({ model_name, quota }).toEqual({ model_name: DEAR, quota: DEAR_QUOTA })
    expect(other.passed_over).toEqual([{ group: 'default', model: MODEL, why: 'failed' }])
  })

  test('a model without a price, without a channel, or forbidden to the key, is refused with nothing sent', async () => {
    await channel(OPENAI)
    await channel(OPENAI, {}, { models: 'unpriced-model' })
    await channel(OPENAI, {}, { models: DEAR })
    const ann = await client()
    const fields = (...models: string[]) => asked(door, stream, models)
    expect((await ask(ann, door, fields('unpriced-model'))).status).toBe(400)
    expect((await ask(ann, door, fields(DEAR, 'nowhere-model'))).status).toBe(400)
    expect((await ask(ann, door, fields(...Array.from({ length: 9 }, () => DEAR)))).status).toBe(400)
    const bob = await client({ model_limits_enabled: true, model_limits: MODEL })
    expect((await ask(bob, door, fields(DEAR))).status).toBe(403)
    expect([received.length, await ann.balance(), await bob.balance()]).toEqual([0, RICH, RICH])
  })
})

test('a model that is listed twice, or is the requested one, is tried once', async () => {
  const failing = await served(refuses(500), { models: `${MODEL},${DEAR}` })
  failing.upstream.scripts(DEAR, refuses(500))
  const ann = await client()
  expect((await ann.chat({ models: [MODEL, DEAR, DEAR, MODEL] })).status).toBe(502)
  expect(failing.upstream.journal.map(({ body }) => body.model)).toEqual([MODEL, DEAR])
  expect(await ann.balance()).toBe(RICH)
})

test('the requested model is tried in each group of the key before the next model', async () => {
  const failing = await served(refuses(500))
  const other = await served(refuses(500), { group: 'vip' })
  await channel(OPENAI, {}, { models: DEAR, group: 'vip' })
  await setPrice('UserUsableGroups', { default: '', vip: '' })
  const ann = await client({ fallback_groups: 'vip' })
  expect((await ann.chat({ models: [DEAR] })).status).toBe(200)
  expect([failing.calls(), other.calls(), await ann.balance()]).toEqual([1, 1, RICH - 2 * DEAR_QUOTA])
  const { group, model_name, other: details } = await lastEntry(ann)
  expect([group, model_name]).toEqual(['vip', DEAR])
  expect(details.passed_over).toEqual([
    { group: 'default', model: MODEL, why: 'failed' },
    { group: 'vip', model: MODEL, why: 'failed' },
    { group: 'default', model: DEAR, why: 'no_channel' },
  ])
})

test('a channel of OpenRouter that serves the whole list gets it, and falls back itself', async () => {
  await channel(OPENROUTER, {}, { models: `${MODEL},${DEAR}` })
  const ann = await client()
  expect((await ann.chat({ models: [DEAR], route: 'fallback' })).status).toBe(200)
  expect(received.at(-1)!.body).toMatchObject({ model: MODEL, models: [DEAR], route: 'fallback' })
  expect(await ann.balance()).toBe(RICH - PLAIN)
})

test('a channel that serves a part of the list does not get it, and the others follow', async () => {
  await channel(OPENROUTER)
  await served(chat(), { models: DEAR })
  const ann = await client()
  expect((await ann.chat({ models: [DEAR], route: 'fallback' })).status).toBe(200)
  expect(received.at(-1)!.body.models).toBeUndefined()
  expect(received.at(-1)!.body.route).toBeUndefined()
})
