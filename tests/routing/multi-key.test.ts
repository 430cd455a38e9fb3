// @engine both
/** Channels with several keys: each fails, cools down and is disabled alone. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { invalidate } from '../../src/cluster/invalidation.ts'
import { Role } from '../../src/contracts/account.ts'
import { holdClock } from '../../src/process/clock.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client, clientOf, MODEL, RICH } from '../support/people/client.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { channelNow } from '../support/upstream/channel.ts'
import { chat, refuses } from '../support/upstream/chat-scripts.ts'
import { answers } from '../support/upstream/endpoint-scripts.ts'
import { errorBody } from '../support/upstream/openai.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

const KEYS = ['sk-number-one', 'sk-number-two', 'sk-number-three']
let ann: Client

beforeEach(async () => {
  // What rests, rests on.
  holdClock(true)
  await setOption('RetryTimes', 5)
  await setOption('AutomaticDisableChannelEnabled', true)
  await deleteChannels()
  ann = await client()
})
afterAll(() => {
  holdClock(false)
  return setOption('AutomaticDisableChannelEnabled', false)
})

async function calls(count: number, status = 200) {
  for (let turn = 0; turn < count; turn++) expect((await ann.chat()).status).toBe(status)
}

async function withKeys(fields: Record<string, unknown> = {}) {
  const channel = await served(chat(), { key: KEYS.join(','), ...fields })
  const used = () => new Set(channel.upstream.journal.splice(0).map(call => call.key))
  const keys = async () => (await channelNow(channel.id)).keys
  return { ...channel, used, keys }
}

test('a rejected key is disabled once, with reason and time, and the others go on', async () => {
  const { id, upstream, used, keys } = await withKeys()
  upstream.keys.delete('sk-number-two')
  await calls(6)
  expect(upstream.journal.filter(call => call.key === 'sk-number-two')).toHaveLength(1)
  const [one, two, three] = await keys()
  expect([one.status, two.status, three.status]).toEqual([1, 3, 1])
  expect(two).toMatchObject({ key: 'sk-n…-two', reason: expect.stringContaining('401'), time: expect.any(Number) })
  expect((await channelNow(id)).status).toBe(1)
  const notes = await logsOf(await setUp(), 4)
  expect(notes.filter((note: any) => note.channel === id)).toMatchObject([
    { content: expect.stringContaining('sk-n…-two') },
  ])
  upstream.keys.add('sk-number-two')
  // Another node reads the same rows.
  invalidate('channels')
  used()
  await calls(6)
  expect(used()).toEqual(new Set(['sk-number-one', 'sk-number-three']))
})

test('a channel without usable keys is disabled, and enabling it enables its keys', async () => {
  const { id, upstream, keys } = await withKeys()
  upstream.keys.clear()
  expect((await ann.chat()).status).toBe(502)
  expect(await channelNow(id)).toMatchObject({ status: 3 })
  expect((await ann.chat()).status).toBe(503)
  const root = await setUp()
  await root.put('/api/channel/', { id, status: 1 })
  expect((await keys()).map((key: any) => key.status)).toEqual([1, 1, 1])
})

test.each([
  ['where the operator does not allow it', false, 1],
  ['of a channel that must stay', true, 0],
])('no key is disabled %s; a rejected one only cools down', async (_, allowed, auto_ban) => {
  await setOption('AutomaticDisableChannelEnabled', allowed)
  const { upstream, keys } = await withKeys({ auto_ban })
  upstream.keys.delete('sk-number-two')
  await calls(6)
  expect(upstream.journal.filter(call => call.key === 'sk-number-two')).toHaveLength(1)
  expect((await keys()).map((key: any) => key.status)).toEqual([1, 1, 1])
  expect((await keys())[1].cooldown).toMatchObject({ reason: expect.stringContaining('401') })
})

test('a rate-limited key cools down alone', async () => {
  const { upstream, used, keys, scripts } = await withKeys()
  scripts((call, answer) =>
    call.key === 'sk-number-one'
      ? answer.json(errorBody('Rate limit reached', 'requests', 'rate_limit_exceeded'), 429, { 'retry-after': '30' })
      : chat()(call, answer),
  )
  await calls(8)
  expect(upstream.journal.filter(call => call.key === 'sk-number-one')).toHaveLength(1)
  expect(used().size).toBe(3)
  const [one, two] = await keys()
  expect(one.model_cooldowns).toMatchObject([{ scope: 'model', model: MODEL, seconds: 30 }])
  expect([one.status, one.cooldown, two.model_cooldowns]).toEqual([1, undefined, []])
})

test('a channel rests while its last enabled key does', async () => {
  const { id, scripts, keys } = await withKeys({ key: 'sk-number-one,sk-number-two' })
  await (await setUp()).put(`/api/channel/${id}/keys/${(await keys())[0].id}`, { status: 2 })
  scripts(refuses(429, { 'retry-after': '30' }))
  await calls(1, 429)
  expect((await channelNow(id)).model_cooldowns).toMatchObject([{ model: MODEL, seconds: 30 }])
})

test("a rate limit under another status is still the key's", async () => {
  const { used, scripts } = await withKeys({ status_code_mapping: '{"429":"500"}' })
  scripts((call, answer) => (call.key === 'sk-number-two' ? refuses(429) : chat())(call, answer))
  await calls(6)
  expect(used()).toContain('sk-number-two')
})

test('a rejected key cools down at once while nothing is disabled automatically', async () => {
  await setOption('AutomaticDisableChannelEnabled', false)
  const { upstream, scripts } = await withKeys()
  const dry = answers(500, errorBody('No quota', 'insufficient_quota'))
  scripts((call, answer) => (call.key === 'sk-number-two' ? dry : chat())(call, answer))
  for (let turn = 0; turn < 9; turn++) await ann.chat()
  expect(upstream.journal.filter(call => call.key === 'sk-number-two')).toHaveLength(1)
})

test('a failure of the channel is not retried with the next key', async () => {
  const failing = await withKeys({ priority: 9 })
  failing.scripts(refuses(500))
  const other = await served(chat())
  await calls(1)
  expect([failing.calls(), other.calls()]).toEqual([1, 1])
})

test('a named channel is tried once, however many keys it has', async () => {
  const refusing = await withKeys()
  refusing.upstream.keys.clear()
  const boss = await clientOf(await visitor(Role.admin, RICH))
  const headers = { authorization: `Bearer sk-${boss.key}-${refusing.id}` }
  expect((await boss.chat({}, { headers })).status).toBe(502)
  expect(refusing.calls()).toBe(1)
})

test('an operator disables keys by hand, except the last one', async () => {
  const { id, used, keys } = await withKeys()
  const root = await setUp()
  const [one, two, three] = await keys()
  const turn = (key: { id: string }, status: number) => root.put(`/api/channel/${id}/keys/${key.id}`, { status })
  expect(await turn(one, 2)).toMatchObject({ success: true, data: [{ status: 2, reason: 'manual' }, {}, {}] })
  await turn(two, 2)
  expect(await turn(three, 2)).toMatchObject({ status: 400, code: 'channel.last_key' })
  await calls(4)
  expect(used()).toEqual(new Set(['sk-number-three']))
  await turn(one, 1)
  await calls(4)
  expect(used()).toEqual(new Set(['sk-number-one', 'sk-number-three']))
  expect(await turn({ id: 'nobody' }, 1)).toMatchObject({ status: 404 })
})

test('keys rejected at the same moment disable the channel together, once', async () => {
  const { id, upstream, keys, scripts } = await withKeys()
  await setOption('RetryTimes', 0)
  const { promise, resolve } = Promise.withResolvers<void>()
  scripts(async (_, answer) => {
    await promise
    return answer.json(errorBody('Incorrect API key provided', 'invalid_request_error', 'invalid_api_key'), 401)
  })
  const calling = Promise.all(Array.from({ length: 9 }, () => ann.chat()))
  await until(() => upstream.journal.length === 9)
  resolve()
  await calling
  expect((await channelNow(id)).status).toBe(3)
  expect((await keys()).map((key: any) => key.status)).toEqual([3, 3, 3])
  const notes = (await logsOf(await setUp(), 4)).filter((note: any) => note.channel === id)
  expect(notes).toHaveLength(3)
})

test('concurrent operators cannot disable the last keys', async () => {
  const { id, keys } = await withKeys()
  const root = await setUp()
  const turns = (await keys()).map((key: any) => root.put(`/api/channel/${id}/keys/${key.id}`, { status: 2 }))
  const answers = await Promise.all<any>(turns)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400])
  expect((await keys()).map((key: any) => key.status).sort()).toEqual([1, 2, 2])
})

test.each([
  ['the only key', 'sk-number-one', 'sk-number-two'],
  ['one of several', 'sk-number-one,sk-number-two', 'sk-number-two,sk-number-three'],
])('a key that is %s and replaced during a call disables nothing', async (_, before, after) => {
  const { id, upstream, keys, scripts } = await withKeys({ key: before })
  await setOption('RetryTimes', 0)
  const { promise, resolve } = Promise.withResolvers<void>()
  scripts(async (_, answer) => {
    await promise
    return answer.json(errorBody('Incorrect API key provided', 'invalid_request_error', 'invalid_api_key'), 401)
  })
  const waiting = ann.chat()
  await until(() => upstream.journal.length === 1)
  for (const key of after.split(',')) upstream.keys.add(key)
  expect(await (await setUp()).put('/api/channel/', { id, key: after })).toMatchObject({ success: true })
  resolve()
  expect((await waiting).status).toBe(502)
  expect((await channelNow(id)).status).toBe(1)
  expect((await keys()).every((key: any) => key.status === 1)).toBe(true)
  scripts(chat())
  await calls(2)
})

test('a key that returns later starts enabled', async () => {
  const { id, upstream, keys } = await withKeys()
  const root = await setUp()
  upstream.keys.delete('sk-number-two')
  await calls(3)
  await until(async () => (await keys())[1].status === 3)
  await root.put('/api/channel/', { id, key: 'sk-number-one,sk-number-three' })
  await root.put('/api/channel/', { id, key: KEYS.join(',') })
  expect((await keys()).map((key: any) => key.status)).toEqual([1, 1, 1])
})

test('a key disabled by hand stays disabled after a passing test', async () => {
  await setOption('AutomaticEnableChannelEnabled', true)
  const { id, upstream, keys } = await withKeys({ key: 'sk-number-one,sk-number-two' })
  const root = await setUp()
  await root.put(`/api/channel/${id}/keys/${(await keys())[0].id}`, { status: 2 })
  upstream.keys.delete('sk-number-two')
  expect((await ann.chat()).status).toBe(502)
  expect((await channelNow(id)).status).toBe(3)
  expect(await root.get(`/api/channel/test/${id}`)).toMatchObject({ success: false })
  expect((await channelNow(id)).status).toBe(3)
  expect((await keys()).map((key: any) => key.status)).toEqual([2, 3])
  upstream.keys.add('sk-number-two')
  await root.get(`/api/channel/test/${id}`)
  expect((await channelNow(id)).status).toBe(1)
  expect((await keys()).map((key: any) => key.status)).toEqual([2, 1])
  await setOption('AutomaticEnableChannelEnabled', false)
})

test('a key that passes a test serves calls again', async () => {
  await setOption('AutomaticEnableChannelEnabled', true)
  const { id, upstream, used, keys } = await withKeys()
  upstream.keys.delete('sk-number-two')
  await calls(3)
  await until(async () => (await keys())[1].status === 3)
  upstream.keys.add('sk-number-two')
  expect(await (await setUp()).get(`/api/channel/test/${id}`)).toMatchObject({ success: true })
  used()
  await calls(3)
  expect(used()).toEqual(new Set(KEYS))
  await setOption('AutomaticEnableChannelEnabled', false)
})

test('a key of two channels that passes a test of one is enabled there alone', async () => {
  await setOption('AutomaticEnableChannelEnabled', true)
  const channels = [await withKeys({ priority: 5 }), await withKeys()] as const
  for (const { upstream } of channels) upstream.keys.delete('sk-number-two')
  for (const { id, keys } of channels) {
    await calls(3)
    await until(async () => (await keys())[1].status === 3)
    await (await setUp()).put('/api/channel/', { id, priority: 0 })
    await (await setUp()).put('/api/channel/', { id: channels[1].id, priority: 5 })
  }
  for (const { upstream } of channels) upstream.keys.add('sk-number-two')
  expect(await (await setUp()).get(`/api/channel/test/${channels[0].id}`)).toMatchObject({ success: true })
  const statuses = await Promise.all(channels.map(async ({ keys }) => (await keys()).map((key: any) => key.status)))
  expect(statuses).toEqual([
    [1, 1, 1],
    [1, 3, 1],
  ])
  await setOption('AutomaticEnableChannelEnabled', false)
})

test('a short key is masked entirely', async () => {
  const { keys } = await withKeys({ key: 'short-1,short-2' })
  expect((await keys()).map(({ key }: { key: string }) => key)).toEqual(['…', '…'])
})

test('keys are shown to administrators only, and masked', async () => {
  const { id, keys } = await withKeys()
  expect(JSON.stringify(await keys())).not.toContain('number')
  expect(await ann.person.get(`/api/channel/${id}`)).toMatchObject({ status: 403 })
  expect(await ann.person.put(`/api/channel/${id}/keys/x`, { status: 2 })).toMatchObject({ status: 403 })
})
