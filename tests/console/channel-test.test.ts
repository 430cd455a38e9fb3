import { afterAll, describe, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { LogType } from '../../src/contracts/log.ts'
import { balance, setUp, visitor } from '../support/people/person.ts'
import { makeChannel, storedChannel } from '../support/upstream/channel.ts'
import { chat, errorInside, halfJson, html, refuses, resetsAfter, says } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const root = await setUp()
const admin = await visitor(Role.admin, 1000)
const upstream = await fakeUpstream()
afterAll(() => upstream.stop())

const key = 'sk-upstream'
const JSON_TYPE = 'application/json'
const open = (fields: Record<string, unknown> = {}) =>
  makeChannel(root, { key, base_url: upstream.url, models: 'good', ...fields })
const tryOut = (id: number, query = '') => admin.get(`/api/channel/test/${id}${query}`)

upstream.scripts('good', chat({ text: 'Hello' }))

describe('a test that succeeds', () => {
  test('a channel test asks for one word and stores its duration', async () => {
    const { id } = await open()
    const { time, ...answer } = await tryOut(id)
    expect(answer).toMatchObject({ success: true, message: '' })
    const { body } = upstream.journal.at(-1)!
    expect(body).toMatchObject({ model: 'good', messages: [{ role: 'user', content: 'hi' }], max_tokens: 10 })
    expect(body.stream).not.toBe(true)
    const row = await storedChannel(id)
    expect(row.response_time).toBe(Math.round(time * 1000))
    expect(row.test_time).toBeGreaterThan(0)
    expect(row.test_failure).toBe('')
    expect(upstream.violations).toEqual([])
  })

  test('a channel test uses the model of the query, else the test model, else the first, as mapped', async () => {
    for (const name of ['asked', 'tested', 'first', 'real']) upstream.scripts(name, chat())
    const { id } = await open({ models: 'first,good,alias', test_model: 'tested', model_mapping: '{"alias":"real"}' })
    const asked = async (query?: string) => {
      expect(await tryOut(id, query)).toMatchObject({ success: true })
      return upstream.journal.at(-1)!.body.model
    }
    expect(await asked('?model=asked')).toBe('asked')
    expect(await asked('?model=alias')).toBe('real')
    expect(await asked()).toBe('tested')
    await admin.put('/api/channel/', { id, test_model: '' })
    expect(await asked()).toBe('first')
  })

  test('a channel test is logged and charged to no user', async () => {
    const { id, name } = await open()
    const before = await balance(admin)
    await tryOut(id)
    expect(await balance(admin)).toBe(before)
    expect((await storedChannel(id)).used_quota).toBe(0)
    const { data } = await admin.get(`/api/log/?channel=${id}`)
    expect(data.items).toMatchObject([
      { type: LogType.system, quota: 0, model_name: 'good', content: expect.stringContaining(name) },
    ])
    expect((await admin.get(`/api/log/stat?channel=${id}`)).data).toMatchObject({ quota: 0, rpm: 0 })
  })

  test('a channel test calls the full URL of a custom channel', async () => {
    const { id } = await open({ type: 8, base_url: `${upstream.url}/v1/chat/completions` })
    expect(await tryOut(id)).toMatchObject({ success: true })
  })
})

describe('what is asked', () => {
  test('a channel test gives reasoning models enough output tokens', async () => {
    for (const name of ['o3', 'gemini-pro', 'some-thinking']) upstream.scripts(name, chat())
    const { id } = await open()
    const asked = async (model: string) => {
      await tryOut(id, `?model=${model}`)
      return upstream.journal.at(-1)!.body
    }
    expect(await asked('o3')).toMatchObject({ max_completion_tokens: 10 })
    expect(await asked('o3')).not.toHaveProperty('max_tokens')
    expect(await asked('gemini-pro')).toMatchObject({ max_tokens: 300 })
    expect(await asked('some-thinking')).toMatchObject({ max_tokens: 50 })
  })

  test('a channel test calls the operation of each model', async () => {
    for (const name of ['bge-m3', 'bge-reranker-v2-m3', 'omni-moderation-latest', 'o1-pro'])
      upstream.scripts(name, refuses(429))
    const { id } = await open()
    const asked = async (model: string) => {
      await tryOut(id, `?model=${model}`)
      const { path, body } = upstream.journal.at(-1)!
      return { path, body }
    }
    expect(await asked('bge-m3')).toMatchObject({ path: '/v1/embeddings', body: { input: ['hello world'] } })
    expect(await asked('bge-reranker-v2-m3')).toMatchObject({ path: '/v1/rerank', body: { query: 'hi' } })
    expect(await asked('omni-moderation-latest')).toMatchObject({ path: '/v1/moderations', body: { input: 'hi' } })
    expect(await asked('o1-pro')).toMatchObject({ path: '/v1/responses', body: { max_output_tokens: 16 } })
  })

  test.each(['dall-e-3', 'gpt-image-1', 'tts-1', 'whisper-1', 'gpt-4o-realtime-preview'])(
    'is not made of %s, which would cost more than it tells',
    async model => {
      const { id } = await open()
      const calls = upstream.journal.length
      expect(await tryOut(id, `?model=${model}`)).toMatchObject({
        success: false,
        message: expect.stringMatching(/cannot be tested/),
      })
      expect(upstream.journal).toHaveLength(calls)
    },
  )
})

describe('a test that fails', () => {
  test.each([
    ['refusal', refuses(429), /status 429: Rate limit reached/],
    ['an error inside 200', errorInside(), /./],
    ['a page instead of an answer', html(), /cannot be read/],
    ['half an answer', halfJson(), /cannot be read|cannot be reached/],
    ['a lost connection', resetsAfter(0), /cannot be reached/],
    ['another kind of answer', says('{"object":"list","data":[]}', JSON_TYPE), /cannot be read/],
  ])('a failed channel test (%s) gives the reason and keeps the last duration', async (_, script, words) => {
    const { id } = await open()
    await tryOut(id)
    const before = await storedChannel(id)
    upstream.scripts('good', script)
    const answer = await tryOut(id)
    upstream.scripts('good', chat())
    expect(answer).toMatchObject({ status: 200, success: false, message: expect.stringMatching(words) })
    expect(answer.time).toBeGreaterThan(0)
    const row = await storedChannel(id)
    expect(row).toMatchObject({ response_time: before.response_time, status: before.status })
    expect(row.test_time).toBeGreaterThanOrEqual(before.test_time)
  })

  test('list, CSV and API show why the last test of a channel has failed until one passes', async () => {
    const { id } = await open({ models: 'unsteady', name: 'unsteady' })
    const shown = async () => {
      const list = await (await admin.page('/admin/channels?keyword=unsteady')).text()
      const [, dot] = /<span class="dot \w+">([^<]*)</.exec(list)!
      const csv = await (await admin.page('/admin/channels/export.csv?keyword=unsteady')).text()
      const { data } = await admin.get(`/api/channel/${id}`)
      return [dot, csv.trim().split(',').at(-1), data.test_failure]
    }
    upstream.scripts('unsteady', refuses(429))
    await tryOut(id)
    expect(await shown()).toEqual(['failed 429', 'failed 429', '429'])
    upstream.scripts('unsteady', html())
    await tryOut(id)
    expect(await shown()).toEqual(['unreadable', 'unreadable', 'unreadable'])
    await tryOut(id, '?model=dall-e-3')
    expect(await shown()).toEqual(['unreadable', 'unreadable', 'unreadable'])
    upstream.scripts('unsteady', chat())
    await tryOut(id)
    expect(await shown()).toEqual([expect.stringMatching(/ s$/), '', ''])
  })

  test('a channel test fails when one of its keys fails, and names it', async () => {
    const { id } = await open({ key: `${key},sk-refused-0123456789` })
    const answer = await tryOut(id)
    expect(answer).toMatchObject({ success: false, message: expect.stringContaining('sk-r…6789: ') })
  })

  test('a failed channel test reveals no key and no address', async () => {
    const { id } = await open()
    const said = `no ${key} at ${upstream.url}/v1 nor 10.1.2.3:8080`
    upstream.scripts('good', says(JSON.stringify({ error: { message: said } }), JSON_TYPE))
    const { message } = await tryOut(id)
    upstream.scripts('good', chat())
    expect(message).toContain('no *** at *** nor ***')
    for (const secret of [key, '127.0.0.1', '10.1.2.3']) expect(message).not.toContain(secret)
  })

  test("a failed connection is explained in the caller's language", async () => {
    const { id } = await open({ base_url: 'http://127.0.0.1:9' })
    const { message } = await admin.get(`/api/channel/test/${id}`, { language: 'zh' })
    expect(message).toMatch(/^无法连接上游（\w+）$/)
  })

  test('an untestable channel is refused, a missing one is a 404', async () => {
    const { id } = await open({ type: 38, models: 'gpt-4o', base_url: upstream.url })
    expect(await tryOut(id)).toMatchObject({ success: false, message: expect.stringContaining('cannot be tested') })
    expect(await tryOut(999_999)).toMatchObject({ status: 404 })
  })
})
