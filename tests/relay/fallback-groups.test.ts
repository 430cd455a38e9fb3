/** Keys over several groups: the group that serves a call bills it, and what was held for another is free again. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { release, reserve } from '../../src/domain/wallet/index.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { setPrice } from '../support/app/prices.ts'
import { type Client, client, MODEL, quotaOf, RICH } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { errorOf } from '../support/people/responses.ts'
import { chat, inTurn, refuses } from '../support/upstream/chat-scripts.ts'
import { ask, channel, type Door, OPENAI, PLAIN, received, reports } from '../support/upstream/reporting-upstream.ts'
import { served } from '../support/upstream/served-channel.ts'

const DEAR = 3
const offer = (...groups: string[]) =>
  setPrice('UserUsableGroups', Object.fromEntries(groups.map(name => [name, name])))

beforeEach(async () => {
  await setPrice('GroupRatio', { default: 1, cheap: 0.5, dear: DEAR, third: 1 })
  await offer('default', 'cheap', 'dear', 'third')
  await setOption('QueueTimeout', 0)
  await setOption('RetryTimes', 0)
})
afterAll(() => setOption('QueueTimeout', 10))

/** A key that begins in `cheap` and falls back to `dear`. */
const both = (fields: object = {}, quota = RICH) =>
  client({ group: 'cheap', fallback_groups: 'dear', ...fields }, quota)

/** Of 1000 + 1000 tokens. */
const answering = (group: string) => channel(OPENAI, {}, { group })

async function lastEntry({ person }: Client) {
  const [entry] = await logsOf(person)
  return entry
}

const doors: Door[] = ['chat', 'messages', 'responses', 'gemini']
const ways = doors.flatMap(door => [[door, false] as const, [door, true] as const])

const call = (ann: Client, door: Door, stream: boolean) =>
  stream && door === 'gemini' ? ask(ann, 'gemini_stream') : ask(ann, door, door === 'gemini' ? {} : { stream })

describe.each(ways)('%s, stream %p', (door, stream) => {
  test('the second group serves what the first has failed, at its ratio, and the log says so', async () => {
    const first = await served(refuses(500), { group: 'cheap' })
    const second = await answering('dear')
    const ann = await both()
    const response = await call(ann, door, stream)
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Hi')])
    expect([first.calls(), received.length]).toEqual([1, 1])
    expect(await ann.balance()).toBe(RICH - DEAR * PLAIN)
    const { group, quota, model_name, other } = await lastEntry(ann)
    expect({ group, quota, model_name }).toEqual({ group: 'dear', quota: DEAR * PLAIN, model_name: MODEL })
    expect(other).toMatchObject({ group_ratio: DEAR, passed_over: [{ group: 'cheap', model: MODEL, why: 'failed' }] })
    expect(other.admin_info.use_channel).toEqual([String(first.id), String(second.id)])
  })

  test('the first group serves while it can, at its own ratio', async () => {
    await answering('cheap')
    const second = await served(chat(), { group: 'dear' })
    const ann = await both()
    const response = await call(ann, door, stream)
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Hi')])
    expect([second.calls(), await ann.balance()]).toEqual([0, RICH - PLAIN / 2])
    const entry = await lastEntry(ann)
    expect([entry.group, entry.other.passed_over]).toEqual(['cheap', undefined])
  })
})

describe('a group is passed over', () => {
  test('where it has no channel for the model', async () => {
    await answering('dear')
    const ann = await both()
    expect((await ann.chat()).status).toBe(200)
    expect((await lastEntry(ann)).other.passed_over).toEqual([{ group: 'cheap', model: MODEL, why: 'no_channel' }])
  })

  test('while its channels are full, without waiting in the queue', async () => {
    await setOption('QueueTimeout', 10)
    const first = await served(chat(), { group: 'cheap', setting: JSON.stringify({ rpm: 1 }) })
    await answering('dear')
    const ann = await both()
    for (let turn = 0; turn < 2; turn++) expect((await ann.chat()).status).toBe(200)
    expect([first.calls(), received.length]).toEqual([1, 1])
    expect((await lastEntry(ann)).other.passed_over).toEqual([{ group: 'cheap', model: MODEL, why: 'full' }])
  })

  test('while its channels cool down', async () => {
    const first = await served(refuses(429, { 'retry-after': '60' }), { group: 'cheap' })
    await answering('dear')
    const ann = await both()
    for (let turn = 0; turn < 2; turn++) expect((await ann.chat()).status).toBe(200)
    expect(first.calls()).toBe(1)
    expect((await lastEntry(ann)).other.passed_over).toEqual([{ group: 'cheap', model: MODEL, why: 'full' }])
  })

  test('when its owner may use it no more, or it is gone', async () => {
    await answering('cheap')
    await answering('dear')
    const ann = await both()
    await offer('default', 'dear')
    expect((await ann.chat()).status).toBe(200)
    expect(await lastEntry(ann)).toMatchObject({
      ...{ group: 'dear', quota: DEAR * PLAIN },
      other: { passed_over: [{ group: 'cheap', model: MODEL, why: 'forbidden' }] },
    })
    await offer('default')
    expect(await errorOf(await ann.chat())).toMatchObject({ status: 403, code: 'group_forbidden' })
  })

  test('where its price cannot be paid: the next that can be serves', async () => {
    await served(refuses(500), { group: 'cheap' })
    const dear = await served(chat(), { group: 'dear' })
    await served(chat(), { group: 'third' })
    const ann = await both({ fallback_groups: 'dear,third' }, quotaOf(100, 900))
    expect((await ann.chat({ max_tokens: 900 })).status).toBe(200)
    expect(dear.calls()).toBe(0)
    const { group, other } = await lastEntry(ann)
    expect([group, other.passed_over.map((one: { why: string }) => one.why)]).toEqual(['third', ['failed', 'unpaid']])
  })

  test('where another group holds the response that the call goes on with', async () => {
    await answering('dear')
    const ann = await both()
    reports({ id: 'resp_dear' })
    expect((await ask(ann, 'responses')).status).toBe(200)
    await answering('cheap')
    reports({ id: 'resp_cheap' })
    for (const [previous_response_id, group] of [
      ['resp_dear', 'dear'],
      [undefined, 'cheap'],
      ['resp_cheap', 'cheap'],
    ]) {
      expect((await ask(ann, 'responses', { previous_response_id })).status).toBe(200)
      expect((await lastEntry(ann)).group).toBe(group)
    }
  })
})

test('a request that is wrong itself goes to no other group', async () => {
  const first = await served(refuses(400), { group: 'cheap' })
  const second = await served(chat(), { group: 'dear' })
  const ann = await both()
  expect((await ann.chat()).status).toBe(400)
  expect([first.calls(), second.calls(), await ann.balance()]).toEqual([1, 0, RICH])
})

test('a call that both groups fail gets the failure of the last', async () => {
  const [first, second] = [
    await served(refuses(500), { group: 'cheap' }),
    await served(refuses(503), { group: 'dear' }),
  ]
  const ann = await both()
  expect((await ann.chat()).status).toBe(503)
  expect([first.calls(), second.calls(), await ann.balance()]).toEqual([1, 1, RICH])
})

test.each([['cheap'], ['dear']])('a model whose channel in the group %s is disabled exists', async group => {
  const { id } = await served(chat(), { group })
  const root = await setUp()
  await root.put('/api/channel/', { id, status: ChannelStatus.disabled })
  expect(await errorOf(await (await both()).chat())).toMatchObject({ status: 503 })
})

test('a channel of both groups that has failed is not asked again', async () => {
  const shared = await served(refuses(500), { group: 'cheap,dear' })
  const ann = await both()
  expect((await ann.chat()).status).toBe(502)
  expect([shared.calls(), await ann.balance()]).toEqual([1, RICH])
})

describe('what is held', () => {
  test('a balance that pays the cheap group alone is served there, and told why the dear one has failed', async () => {
    const poor = await both({}, quotaOf(100, 900))
    const limit = { max_tokens: 900 }
    const first = await served(inTurn(chat(), refuses(500)), { group: 'cheap' })
    const second = await served(chat(), { group: 'dear' })
    expect((await poor.chat(limit)).status).toBe(200)
    expect(await errorOf(await poor.chat(limit))).toMatchObject({ status: 502 })
    expect([first.calls(), second.calls()]).toEqual([2, 0])
  })

  test('a first group that has no channel leaves a balance too small for the second refused', async () => {
    const second = await served(chat(), { group: 'dear' })
    const poor = await both({}, quotaOf(100, 100))
    const refused = { status: 403, code: 'insufficient_user_quota' }
    expect(await errorOf(await poor.chat({ max_tokens: 1500 }))).toMatchObject(refused)
    expect(second.calls()).toBe(0)
  })

  test('parallel calls that change their group are billed exactly, and hold nothing afterwards', async () => {
    await served(refuses(429, { 'retry-after': '1' }), { group: 'cheap' })
    await answering('dear')
    const CALLS = 20
    const ann = await both()
    const calls = Array.from({ length: CALLS }, async (_, at) => {
      const response = await ann.chat({ stream: at % 2 === 0 })
      await response.text()
      return response.status
    })
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]))
    expect(await ann.balance()).toBe(RICH - CALLS * DEAR * PLAIN)
    await expectNothingHeld(ann)
  })

  test('calls that no group serves hold nothing afterwards', async () => {
    for (const group of ['cheap', 'dear']) await served(refuses(500), { group })
    const ann = await both()
    expect((await ann.chat()).status).toBe(502)
    await expectNothingHeld(ann)
  })
})

/** The whole balance is free to be held. */
async function expectNothingHeld(ann: Client) {
  const whole = { user_id: ann.person.id, token_id: 0, unlimited: true, model: MODEL, quota: await ann.balance() }
  await release(await reserve({ request_id: `whole-${ann.person.id}`, ...whole }))
}

test('models of all groups are listed once', async () => {
  await answering('dear')
  await channel(OPENAI, {}, { group: 'cheap', models: `${MODEL},gpt-4o-mini` })
  await channel(OPENAI, {}, { group: 'third', models: 'gpt-4.1' })
  const { data } = (await (await (await both()).get('/v1/models')).json()) as { data: { id: string }[] }
  expect(data.map(({ id }) => id)).toEqual([MODEL, 'gpt-4o-mini'])
})
