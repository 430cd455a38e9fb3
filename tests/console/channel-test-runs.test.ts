/** Tests of channels, single, all and scheduled, with automatic disabling and enabling. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { jobsDone } from '../../src/cluster/leases.ts'
import { jobs } from '../../src/cluster/table.ts'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { dialect } from '../../src/db/dialect.ts'
import { tick } from '../../src/jobs/schedule.ts'
import { now, shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client } from '../support/people/client.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { channelNow } from '../support/upstream/channel.ts'
import { chat, hangs, refuses } from '../support/upstream/chat-scripts.ts'
import type { Script } from '../support/upstream/openai.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

const admin = await visitor(Role.admin)
let ann: Client

beforeEach(async () => {
  await setOption('AutomaticDisableChannelEnabled', true)
  await setOption('AutomaticEnableChannelEnabled', true)
  await setOption('ChannelDisableThreshold', 5)
  await deleteChannels()
  ann = await client()
})
afterEach(async () => {
  await setOption('ChannelTestIntervalMinutes', 0)
  await setOption('AutomaticDisableChannelEnabled', false)
  await setOption('AutomaticEnableChannelEnabled', false)
})

async function testAll() {
  expect(await admin.get('/api/channel/test')).toMatchObject({ success: true })
  await jobsDone()
}

const stateOf = async ({ id }: { id: number }) => (await channelNow(id)).status

/** A channel that a call has closed, and that could answer again. */
async function closed(fields: Record<string, unknown> = {}) {
  const channel = await served(refuses(401), fields)
  await ann.chat()
  expect(await stateOf(channel)).toBe(3)
  channel.scripts(chat())
  return channel
}

const slow =
  (ms: number): Script =>
  async (call, answer) => {
    await Bun.sleep(ms)
    return chat()(call, answer)
  }

describe('testing all channels', () => {
  test('failing channels are disabled and passing ones enabled', async () => {
    const well = await served(chat())
    const back = await closed({ priority: 9 })
    const lost = await served(refuses(401))
    const flaky = await served(refuses(500))
    await testAll()
    expect(await Promise.all([well, back, lost, flaky].map(stateOf))).toEqual([1, 1, 3, 1])
    const before = back.calls()
    expect((await ann.chat()).status).toBe(200)
    expect(back.calls()).toBe(before + 1)
  })

  test('a channel disabled by an operator is not tested', async () => {
    const channel = await served(chat())
    await admin.put('/api/channel/', { id: channel.id, status: 2 })
    await testAll()
    expect(channel.calls()).toBe(0)
    expect(await stateOf(channel)).toBe(2)
  })

  test('nothing is enabled while AutomaticEnableChannelEnabled is off', async () => {
    await setOption('AutomaticEnableChannelEnabled', false)
    const channel = await closed()
    await testAll()
    expect(await stateOf(channel)).toBe(3)
  })

  test('keys that pass are enabled one by one', async () => {
    const channel = await served(chat(), { key: 'sk-first-key,sk-other-key' })
    channel.upstream.keys.clear()
    await setOption('RetryTimes', 3)
    await ann.chat()
    await until(async () => (await stateOf(channel)) === 3)
    channel.upstream.keys.add('sk-other-key')
    await testAll()
    const { status, keys } = await channelNow(channel.id)
    expect([status, ...keys.map((key: { status: number }) => key.status)]).toEqual([1, 3, 1])
  })

  test('a channel in cooldown is tested, and a pass ends the cooldown', async () => {
    const channel = await served(refuses(500), { priority: 9 })
    await served(chat())
    await setOption('RetryTimes', 1)
    for (let turn = 0; turn < 6; turn++) await ann.chat()
    channel.scripts(chat())
    await testAll()
    expect((await channelNow(channel.id)).cooldown).toBeUndefined()
  })
})

describe('tests of slow channels', () => {
  test('a slow channel is disabled when a threshold is set', async () => {
    const channel = await served(slow(60))
    const staying = await served(slow(60), { auto_ban: 0 })
    await setOption('ChannelDisableThreshold', 0)
    await testAll()
    expect(await stateOf(channel)).toBe(1)
    await setOption('ChannelDisableThreshold', 0.05)
    await setOption('AutomaticDisableChannelEnabled', false)
    await testAll()
    expect(await stateOf(channel)).toBe(1)
    await setOption('AutomaticDisableChannelEnabled', true)
    await testAll()
    expect(await stateOf(channel)).toBe(3)
    expect(await stateOf(staying)).toBe(1)
  })

  test('a slow channel stays disabled without a second message', async () => {
    const channel = await served(slow(60))
    await setOption('ChannelDisableThreshold', 0.05)
    await testAll()
    expect(await stateOf(channel)).toBe(3)
    const notes = async () => (await admin.get(`/api/log/?channel=${channel.id}&type=4`)).data.items.length
    const before = await notes()
    await testAll()
    expect(await stateOf(channel)).toBe(3)
    // Only that it was tested.
    expect(await notes()).toBe(before + 1)
    await setOption('ChannelDisableThreshold', 5)
    await testAll()
    expect(await stateOf(channel)).toBe(1)
  })
})

describe('one run at a time', () => {
  test('a second run is refused while the first one runs', async () => {
    const channel = await served(hangs())
    expect(await admin.get('/api/channel/test')).toMatchObject({ success: true })
    await until(() => channel.calls())
    expect(await admin.get('/api/channel/test')).toMatchObject({ success: false, code: 'channel.test_running' })
    expect(await admin.get('/api/channel/test', { language: 'zh' })).toMatchObject({ message: '渠道测试正在进行中' })
    channel.upstream.stop()
    await jobsDone()
    expect(await admin.get('/api/channel/test')).toMatchObject({ success: true })
    await jobsDone()
  })

  test('the lease of a dead node expires', async () => {
    const channel = await served(chat())
    const gone = { node: 'gone', seen_time: 1, started_time: now() }
    await db
      .insert(jobs)
      .values({ name: 'test-channels', ...gone })
      .onConflictDoUpdate({ target: jobs.name, set: gone })
    await testAll()
    expect(channel.calls()).toBe(1)
    const [row] = await db.select().from(jobs).where(eq(jobs.name, 'test-channels'))
    expect(row!.node).toBe('')
  })

  if (dialect === 'postgres')
    test('the lease of a living node is respected', async () => {
      const channel = await served(chat())
      const seen_time = sql<number>`cast(extract(epoch from now()) as bigint)`
      await db.update(jobs).set({ node: 'another', seen_time, started_time: 0 }).where(eq(jobs.name, 'test-channels'))
      expect(await admin.get('/api/channel/test')).toMatchObject({ success: false, code: 'channel.test_running' })
      expect(channel.calls()).toBe(0)
      await db.update(jobs).set({ node: '' }).where(eq(jobs.name, 'test-channels'))
    })
})

describe('tests on a schedule', () => {
  const minute = 60
  const runs = async () => {
    await tick()
    await jobsDone()
  }

  test('tests run only when scheduled, at the set interval', async () => {
    const channel = await served(chat())
    await runs()
    expect(channel.calls()).toBe(0)
    await setOption('ChannelTestIntervalMinutes', 10)
    shiftClock(10 * minute)
    await runs()
    await runs()
    expect(channel.calls()).toBe(1)
    shiftClock(9 * minute)
    await runs()
    expect(channel.calls()).toBe(1)
    shiftClock(minute)
    await runs()
    expect(channel.calls()).toBe(2)
    shiftClock(-20 * minute)
  })

  test('scheduled tests are logged under the root user', async () => {
    const { id, name } = await served(refuses(401))
    await setOption('ChannelTestIntervalMinutes', 1)
    shiftClock(minute)
    await runs()
    shiftClock(-minute)
    const { data } = await admin.get(`/api/log/?channel=${id}&type=4`)
    expect(data.items).toHaveLength(2)
    for (const { username, content } of data.items) {
      expect(username).toBe((await setUp()).username)
      expect(content).toContain(name)
    }
    expect((await channelNow(id)).status).toBe(3)
  })
})

test('a single test enables a channel and never disables one', async () => {
  const back = await closed()
  expect(await admin.get(`/api/channel/test/${back.id}`)).toMatchObject({ success: true })
  expect(await stateOf(back)).toBe(1)
  back.scripts(refuses(401))
  expect(await admin.get(`/api/channel/test/${back.id}`)).toMatchObject({ success: false })
  expect(await stateOf(back)).toBe(1)
})

test('a key that passes a test while it is disabled by hand enables no channel', async () => {
  const channel = await served(slow(60), { key: 'sk-first-key,sk-other-key' })
  await setOption('ChannelDisableThreshold', 0.05)
  await testAll()
  await setOption('ChannelDisableThreshold', 5)
  const [{ id }] = (await channelNow(channel.id)).keys
  expect(await admin.put(`/api/channel/${channel.id}/keys/${id}`, { status: 2 })).toMatchObject({ success: true })
  channel.upstream.keys.delete('sk-other-key')
  await admin.get(`/api/channel/test/${channel.id}`)
  expect(await stateOf(channel)).toBe(3)
})

test('a test enables nothing that an operator disabled', async () => {
  const channel = await served(chat())
  await (await setUp()).put('/api/channel/', { id: channel.id, status: 2 })
  expect(await admin.get(`/api/channel/test/${channel.id}/`)).toMatchObject({ success: true })
  expect(await stateOf(channel)).toBe(2)
})

test('an embeddings channel is tested with embeddings', async () => {
  const channel = await served(chat(), { models: 'text-embedding-3-small' })
  await admin.get(`/api/channel/test/${channel.id}`)
  expect(channel.upstream.journal[0]).toMatchObject({
    path: '/v1/embeddings',
    body: { model: 'text-embedding-3-small', input: ['hello world'] },
  })
})

/** An upstream with an answer of its own format, and what it was asked. */
function speaking(answer: unknown) {
  const asked: { path: string; body: any }[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      asked.push({ path: new URL(request.url).pathname, body: await request.json() })
      return Response.json(answer)
    },
  })
  return { asked, server, base_url: `http://127.0.0.1:${server.port}` }
}

const text = { type: 'text', text: 'Hi' }
const claude = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [text], stop_reason: 'end_turn' }
const candidate = { content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }

test.each([
  [14, 'claude-x', { ...claude, usage: { input_tokens: 1, output_tokens: 1 } }, '/v1/messages', 'messages'],
  [24, 'gemini-x', { candidates: [candidate] }, '/v1beta/models/gemini-x:generateContent', 'contents'],
])('a channel of type %d is tested in its own format', async (type, models, answer, path, field) => {
  const { asked, server, base_url } = speaking(answer)
  const { data } = await (await setUp()).post('/api/channel/', {
    name: 'own words',
    key: 'k-0123456789',
    type,
    models,
    base_url,
  })
  const tested = await admin.get(`/api/channel/test/${data.id}`)
  await server.stop(true)
  expect(tested).toMatchObject({ success: true, message: '' })
  expect(asked[0]!.path).toBe(path)
  expect(asked[0]!.body[field]).toHaveLength(1)
})

test('only administrators may test channels', async () => {
  for (const path of ['/api/channel/test', '/api/channel/update_balance', '/api/channel/fetch_models/1'])
    expect(await ann.person.get(path)).toMatchObject({ status: 403 })
})
