/** Cooldowns by model: what one model's limit stops, and what goes on. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { allowsCall, type CircuitPlace, cooldownOf, recordFailure } from '../../src/domain/routing/health/breaker.ts'
import { holdClock, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client, MODEL } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { errorOf } from '../support/people/responses.ts'
import { channelNow } from '../support/upstream/channel.ts'
import { chat, refuses } from '../support/upstream/chat-scripts.ts'
import { answers } from '../support/upstream/endpoint-scripts.ts'
import { errorBody, type Script } from '../support/upstream/openai.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

const OTHER = 'gpt-4o-mini'
const KEYS = ['sk-number-one', 'sk-number-two']
let ann: Client
let bob: Client

beforeEach(async () => {
  holdClock(true)
  shiftClock(10)
  await setOption('RetryTimes', 3)
  await deleteChannels()
  ann = await client()
  bob = await client()
})
afterEach(() => holdClock(false))

/** One channel with two models, of which the first answers so. */
async function channelWith(script: Script, fields: Record<string, unknown> = {}) {
  const channel = await served(script, { models: `${MODEL},${OTHER}`, ...fields })
  channel.upstream.scripts(OTHER, chat())
  const callsOf = (model: string) => channel.upstream.journal.filter(({ body }) => body.model === model).length
  return { ...channel, callsOf }
}

const limit = (message: string, type = 'requests', code: string | null = 'rate_limit_exceeded') =>
  answers(429, errorBody(message, type, code), { 'retry-after': '45' })

const shownTo = async (path: string, language: 'en' | 'zh') => (await (await setUp()).page(path, { language })).text()

describe('one channel', () => {
  test("a model's limit stops that model alone, for every user, until its time", async () => {
    const { callsOf, scripts } = await channelWith(refuses(429, { 'retry-after': '45' }))
    expect((await ann.chat()).status).toBe(429)
    shiftClock(6)
    const local = await bob.chat()
    expect(await errorOf(local)).toMatchObject({ status: 429, code: 'upstream_saturated' })
    expect(local.headers.get('retry-after')).toBe('39')
    for (const caller of [ann, bob, ann]) expect((await caller.chat({ model: OTHER })).status).toBe(200)
    expect([callsOf(MODEL), callsOf(OTHER)]).toEqual([1, 3])
    scripts(chat())
    shiftClock(39)
    expect((await bob.chat()).status).toBe(200)
  })

  test('names that lead to one model of the provider share its limit', async () => {
    const { calls } = await channelWith(refuses(429, { 'retry-after': '45' }), {
      model_mapping: JSON.stringify({ [OTHER]: MODEL }),
    })
    expect((await ann.chat({ model: OTHER })).status).toBe(429)
    expect((await ann.chat()).status).toBe(429)
    expect(calls()).toBe(1)
  })

  test.each([529, 503])('an overloaded model under status %s leaves the others alone', async status => {
    const overload = answers(status, errorBody('Overloaded', 'overloaded_error'), { 'retry-after': '45' })
    const { callsOf } = await channelWith(overload)
    await ann.chat()
    await ann.chat()
    expect((await ann.chat({ model: OTHER })).status).toBe(200)
    expect([callsOf(MODEL), callsOf(OTHER)]).toEqual([1, 1])
  })

  test.each([
    ['a server without room for anything', answers(503, 'Service Unavailable', { 'retry-after': '45' })],
    ["an account's limit by its code", limit('You exceeded your current quota', 'insufficient_quota')],
    ["an account's limit by its words", limit('Your account reached organization max RPM: 3')],
    ['a refused account', answers(402, errorBody('Insufficient Balance', 'unknown'), { 'retry-after': '45' })],
  ])('%s stops every model', async (_, script) => {
    const { callsOf } = await channelWith(script)
    await ann.chat()
    expect((await ann.chat({ model: OTHER })).status).toBe(429)
    expect(callsOf(OTHER)).toBe(0)
  })

  test('a limit that names the model is its own, whatever it says of the account', async () => {
    const { callsOf } = await channelWith(
      limit(`Rate limit reached for ${MODEL} in organization org-1. Raise your usage limit in your account`),
    )
    await ann.chat()
    expect((await ann.chat({ model: OTHER })).status).toBe(200)
    expect(callsOf(OTHER)).toBe(1)
  })

  test('connections lost with one model count against the channel', async () => {
    const { upstream, id } = await channelWith(chat())
    upstream.stop()
    for (let turn = 0; turn < 5; turn++) await ann.chat()
    expect(await channelNow(id)).toMatchObject({ cooldown: { scope: 'channel' }, model_cooldowns: [] })
  })
})

test('one of several keys rests alone: the model of the limited one', async () => {
  const { upstream, id } = await channelWith(chat(), { key: KEYS.join(',') })
  upstream.scripts(MODEL, (call, answer) => (call.key === KEYS[0] ? limit('Rate limit reached') : chat())(call, answer))
  for (let turn = 0; turn < 4; turn++) expect((await ann.chat()).status).toBe(200)
  for (let turn = 0; turn < 4; turn++) expect((await ann.chat({ model: OTHER })).status).toBe(200)
  const used = (model: string) => upstream.journal.filter(({ body }) => body.model === model).map(({ key }) => key)
  expect(used(MODEL).filter(key => key === KEYS[0])).toHaveLength(1)
  expect(new Set(used(OTHER))).toEqual(new Set(KEYS))
  const { keys, cooldown, model_cooldowns } = await channelNow(id)
  expect(keys[0]).toMatchObject({ model_cooldowns: [{ model: MODEL, scope: 'model', seconds: 45 }] })
  expect({ cooldown, model_cooldowns, other: keys[1].model_cooldowns }).toEqual({
    cooldown: undefined,
    model_cooldowns: [],
    other: [],
  })
})

describe('operators', () => {
  test('the list, the report and the route finder name the model that rests, in both languages', async () => {
    const { id } = await channelWith(refuses(429, { 'retry-after': '45' }), { name: 'half-resting' })
    await ann.chat()
    const words = { en: `${MODEL} is cooling down: 429`, zh: `${MODEL} 冷却中：429` }
    for (const language of ['en', 'zh'] as const) {
      for (const path of [`/admin/channels/${id}/report`, '/admin/channels', `/admin/routes?model=${MODEL}`]) {
        expect(await shownTo(path, language)).toContain(words[language])
      }
    }
    expect(await shownTo(`/admin/routes?model=${OTHER}`, 'en')).not.toContain('cooling down')
  })

  test('the route finder and the channel say when every key rests', async () => {
    const { id } = await channelWith(answers(401, errorBody('no', 'other'), { 'retry-after': '45' }), {
      key: KEYS.join(','),
      auto_ban: 0,
    })
    await ann.chat()
    expect(await channelNow(id)).toMatchObject({ cooldown: { scope: 'key', seconds: 45 }, model_cooldowns: [] })
    expect(await shownTo(`/admin/routes?model=${OTHER}`, 'en')).toContain('All keys are cooling down: 401')
    expect(await shownTo(`/admin/routes?model=${OTHER}`, 'zh')).toContain('所有密钥都在冷却中：401')
  })

  test("saving a channel closes its models' circuits", async () => {
    const { id, scripts } = await channelWith(refuses(429, { 'retry-after': '45' }))
    await ann.chat()
    scripts(chat())
    await (await setUp()).put('/api/channel/', { id, weight: 1 })
    expect((await ann.chat()).status).toBe(200)
  })
})

test('circuits are bounded: the oldest is forgotten', () => {
  const at = (model: number): CircuitPlace => ({ channel_id: 1, model: `model-${model}` })
  for (let model = 0; model <= 10_000; model++) recordFailure(at(model), { reason: '429', retry_after_ms: 45_000 })
  expect([0, 1, 10_000].map(model => allowsCall(at(model)))).toEqual([true, false, false])
  resetStores()
})

test('a shorter cooldown leaves a longer one that runs as it is', () => {
  const place: CircuitPlace = { channel_id: 1, model: MODEL }
  for (const seconds of [45, 5]) recordFailure(place, { reason: '429', retry_after_ms: seconds * 1000 })
  shiftClock(6)
  expect(cooldownOf(place)).toMatchObject({ seconds: 39 })
  resetStores()
})
