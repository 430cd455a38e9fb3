// @waits
/** Calls that wait in the queue, in the formats of clients: comments while they wait, and the refusal at the end. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { callQueue } from '../../../src/domain/routing/limits/call-queue.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, MODEL } from '../../support/people/client.ts'
import { until } from '../../support/until.ts'
import { gate } from '../../support/upstream/chat-scripts.ts'
import { served } from '../../support/upstream/served-channel.ts'

const message = { role: 'user', content: 'Hi' }
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
const models = `/v1beta/models/${MODEL}`

/** Path, body, path of a stream, and what the refusal of the format says. */
const formats = [
  ['chat', '/v1/chat/completions', { model: MODEL, messages: [message] }, '"code":"channels_full"'],
  ['messages', '/v1/messages', { model: MODEL, messages: [message], max_tokens: 9 }, '"type":"rate_limit_error"'],
  ['responses', '/v1/responses', { model: MODEL, input: 'Hi' }, 'channels_full'],
  ['gemini', `${models}:generateContent`, { contents }, 'RESOURCE_EXHAUSTED'],
] as const

let ann: Client
let running: Response
const { script, open } = gate()

beforeAll(async () => {
  await served(script, { setting: '{"concurrency":1}' })
  ann = await client()
  running = await ann.stream()
})
afterAll(async () => {
  open()
  await running.text()
  await setOption('QueueTimeout', 10)
})
afterEach(() => setOption('general_setting.ping_interval_enabled', false))

test('a call that waits in vain is refused with 429 and the time, in the format of its client', async () => {
  await setOption('QueueTimeout', 1)
  const calls = formats.map(async ([, path, body, words]) => {
    const refused = await ann.postTo(path, body)
    expect([path, refused.status, refused.headers.get('retry-after')]).toEqual([path, 429, '1'])
    expect(await refused.text()).toContain(words)
  })
  await Promise.all(calls)
})

test('a stream has comments while it waits, then the refusal, in the format of its client', async () => {
  await setOption('QueueTimeout', 2)
  await setOption('general_setting.ping_interval_enabled', true)
  await setOption('general_setting.ping_interval_seconds', 1)
  const calls = formats.map(async ([name, path, body, words]) => {
    const isGemini = name === 'gemini'
    const streamed = isGemini ? `${models}:streamGenerateContent?alt=sse` : path
    const response = await ann.postTo(streamed, isGemini ? body : { ...body, stream: true })
    expect([path, response.status]).toEqual([path, 200])
    const text = await response.text()
    expect(text).toMatch(/^: ?\S/)
    expect(text).toContain(words)
  })
  await Promise.all(calls)
})

test('a stream has comments after five seconds in the queue also where pings are off', async () => {
  await setOption('QueueTimeout', 6)
  const response = await ann.stream()
  expect(response.status).toBe(200)
  expect(await response.text()).toMatch(/^:[\s\S]*channels_full/)
})

test('the quota of a call is held while it waits, and free once its client leaves', async () => {
  await setOption('QueueTimeout', 2)
  // Pays for one of them.
  const bob = await client({}, 1200)
  const body = { max_tokens: 150 }
  const leaving = new AbortController()
  const left = bob.chat(body, { signal: leaving.signal }).catch(() => 'left')
  await until(() => callQueue.size === 1, 'a call that waits')
  expect((await bob.chat(body)).status).toBe(403)
  leaving.abort()
  expect(await left).toBe('left')
  expect((await bob.chat(body)).status).toBe(429)
})
