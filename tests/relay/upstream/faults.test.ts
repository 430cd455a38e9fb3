// @waits
/** Every way in which an upstream fails: nothing is billed for nothing, and another channel takes over while it can. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { loadTokenTables } from '../../support/app/token-tables.ts'
import { setEnv } from '../../support/env.ts'
import { type Client, client, quotaOf, RICH } from '../../support/people/client.ts'
import { afterText, readStream } from '../../support/people/responses.ts'
import {
  badEvent,
  chat,
  closesAfter,
  errorInside,
  gzipBomb,
  halfJson,
  hangs,
  hangsAfter,
  html,
  hugeAnswer,
  hugeEvent,
  redirects,
  refuses,
  resetsAfter,
  says,
  streams,
  tinyEvents,
  truncatesAfter,
  truncatesByResetAfter,
  wrongLength,
} from '../../support/upstream/chat-scripts.ts'
import type { Script, Upstream } from '../../support/upstream/openai.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

beforeEach(() => loadTokenTables('gpt-4o'))

let models = 0
let ann: Client
const rejections: unknown[] = []
process.on('unhandledRejection', error => rejections.push(error))

beforeEach(async () => {
  ann = await client()
})
afterAll(() => expect(rejections).toEqual([]))

/** A model of its own, priced like gpt-4o, served by one channel for each script, the first one first. */
async function served(...scripts: (Script | string)[]) {
  const model = `gpt-4o-fault-${++models}`
  await setOption('ModelRatio', JSON.stringify({ ...prices, [model]: 1.25 }))
  prices[model] = 1.25
  await setOption('CompletionRatio', JSON.stringify(Object.fromEntries(Object.keys(prices).map(name => [name, 4]))))
  const upstreams = []
  for (const [index, script] of scripts.entries()) {
    const upstream = typeof script === 'string' ? script : await startUpstream(script, model)
    await channelTo(upstream, { models: model, priority: scripts.length - index })
    upstreams.push(upstream)
  }
  await setOption('RetryTimes', scripts.length - 1)
  return { model, upstreams }
}
const prices: Record<string, number> = {}

const good = chat({ text: 'from the second', usage: { prompt_tokens: 10, completion_tokens: 3 } })
const unmoved = async () => expect(await ann.balance()).toBe(RICH)

const failures: [name: string, script: Script | string, status: number][] = [
  ['its name is unknown', 'http://no-such-host.invalid', 502],
  ['it refuses connections', 'http://127.0.0.1:1', 502],
  ['it is no web address', 'https://127.0.0.1:1', 502],
  ['it never answers', hangs(), 504],
  ['500', refuses(500), 502],
  ['503', refuses(503), 503],
  ['429', refuses(429), 429],
  ['401', refuses(401), 502],
  ['a redirect', redirects('http://127.0.0.1:1/elsewhere'), 502],
  ['a page of HTML', html(), 502],
  ['an error inside 200', errorInside(), 502],
  ['half a JSON', halfJson(), 502],
  ['JSON that is no answer', says('{"hello":1}', 'application/json'), 502],
  ['garbage', says('\u0000\u0001garbage', 'application/json'), 502],
  ['a body shorter than its length', wrongLength(50), 502],
  ['a gzip bomb', gzipBomb(80), 502],
  ['a gzip bomb for an error', gzipBomb(80, 500), 502],
  ['more than can be held, by its own word', hugeAnswer(300, 'sized'), 502],
  ['more than can be held', hugeAnswer(300, 'chunked'), 502],
]

describe.each(failures)('an upstream that fails: %s', (name, script, status) => {
  beforeEach(() => {
    if (name === 'it never answers') setEnv({ UPSTREAM_TIMEOUT: 3 })
  })

  test('the client gets an error and pays nothing', async () => {
    const { model } = await served(script)
    for (const stream of [false, true]) {
      const response = await ann.chat({ model, stream })
      expect(response.status).toBe(status)
      const { error } = (await response.json()) as any
      expect(error.message).toEndWith(` (request id: ${response.headers.get('x-request-id')})`)
      expect(error.message).not.toMatch(/127\.0|localhost|invalid|sk-upstream/)
      expect(error.code).toBeString()
    }
    await unmoved()
  })

  test('the next channel responds and is billed once', async () => {
    const { model } = await served(script, good)
    const whole = (await (await ann.chat({ model })).json()) as any
    expect(whole.choices[0].message.content).toBe('from the second')
    const stream = await readStream(await ann.stream({ model }))
    expect(stream).toMatchObject({ text: 'from the second', done: true })
    expect(await ann.balance()).toBe(RICH - 2 * quotaOf(10, 3))
    const entries = await logsOf(ann.person)
    expect(entries).toHaveLength(2)
    for (const { other, channel } of entries) {
      expect(other.admin_info.use_channel).toHaveLength(2)
      expect(other.admin_info.use_channel[1]).toBe(String(channel))
      expect(other.admin_info.attempts[0].status).not.toBe(200)
    }
  })
})

test.each([
  ['endless', 'x'.repeat(8192), 0],
  ['slow', 'x', 500],
])('an error body that is %s is not read to its end', async (_, piece, pause_ms) => {
  const { model, upstreams } = await served(async (_, answer) => {
    await answer.head(500, { 'content-type': 'text/plain' }, 'chunked')
    for (; !answer.gone; await Bun.sleep(pause_ms)) await answer.write(piece)
  })
  expect((await ann.chat({ model })).status).toBe(502)
  const [call] = (upstreams[0] as Upstream).journal
  expect(await call!.ended).toBe('aborted')
  await unmoved()
})

test('Retry-After of the upstream is passed on', async () => {
  const { model } = await served(refuses(429, { 'retry-after': '17' }))
  const response = await ann.chat({ model })
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '17'])
})

test("an error of the client passes in the upstream's words and is not retried", async () => {
  const { model, upstreams } = await served(refuses(400), good)
  const response = await ann.chat({ model })
  expect(response.status).toBe(400)
  expect(((await response.json()) as any).error).toMatchObject({
    message: expect.stringContaining("Invalid type for 'temperature'."),
    type: 'invalid_request_error',
    code: 'invalid_type',
    param: 'temperature',
  })
  expect((upstreams[1] as { journal: unknown[] }).journal).toEqual([])
})

const { received, read } = afterText('three')
const breaks: [name: string, script: Script][] = [
  ['is reset', resetsAfter(4, { received })],
  ['ends between chunks', closesAfter(4, { received })],
  ['ends without framing', truncatesAfter(4, { received })],
  ['is reset without framing', truncatesByResetAfter(4, { received })],
  ['falls silent', hangsAfter(4)],
  ['says something unreadable', badEvent(5)],
]

test.each(breaks)(
  'a stream that %s in the middle ends with an error, is billed as far as it came and not retried',
  async (name, script) => {
    if (name === 'falls silent') setEnv({ STREAM_IDLE_TIMEOUT: 1 })
    const { model, upstreams } = await served(script, good)
    const stream = await read(await ann.stream({ model }))
    expect(stream).toMatchObject({ text: 'one two three ', done: false, error: { message: expect.any(String) } })
    expect((upstreams[1] as { journal: unknown[] }).journal).toEqual([])
    const [entry] = await logsOf(ann.person)
    // The three words, and the blank behind them.
    expect(entry).toMatchObject({
      completion_tokens: 4,
      other: { partial: true, stream_status: 'broken', counted_locally: true },
    })
    expect(entry.prompt_tokens).toBeGreaterThan(0)
    expect(await ann.balance()).toBe(RICH - quotaOf(entry.prompt_tokens, 4))
  },
)

test('a stream that ends after its end marker without closing properly is complete', async () => {
  const { model } = await served(truncatesAfter(12))
  expect(await readStream(await ann.stream({ model }))).toMatchObject({ done: true, error: undefined })
})

test('an error event inside a stream ends it', async () => {
  const piece = { id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'so far' } }] }
  const error = { error: { message: 'overloaded at http://10.0.0.1:8000/x', type: 'server_error' } }
  const { model } = await served(streams([`data: ${JSON.stringify(piece)}\n\n`, `data: ${JSON.stringify(error)}\n\n`]))
  const stream = await readStream(await ann.stream({ model }))
  expect(stream).toMatchObject({
    text: 'so far',
    done: false,
    error: { message: expect.stringContaining('overloaded at ***') },
  })
})

test('bytes beyond the content length reach no other response', async () => {
  const { model } = await served(wrongLength(-20))
  for (let turn = 0; turn < 5; turn++) {
    const response = await ann.chat({ model })
    const text = await response.text()
    if (response.status === 200) expect(JSON.parse(text).choices).toHaveLength(1)
    else expect(response.status).toBe(502)
  }
})

test('one huge event and very many tiny ones pass through', async () => {
  const huge = await served(hugeEvent(11))
  const stream = await readStream(await ann.stream({ model: huge.model }))
  expect(stream.text).toHaveLength(11 * 1_048_576)
  const tiny = await served(tinyEvents(20_000))
  expect((await readStream(await ann.stream({ model: tiny.model }))).text).toHaveLength(20_000)
})

test('an event beyond the size limit ends the stream unbilled', async () => {
  const { model } = await served(hugeEvent(20))
  const stream = await readStream(await ann.stream({ model }))
  expect(stream).toMatchObject({ done: false, error: { code: 'upstream_unusable' } })
})

test('a first event beyond the size limit fails over', async () => {
  const choices = [{ index: 0, delta: { content: 'x'.repeat(17 * 1_048_576) } }]
  const { model } = await served(streams([`data: ${JSON.stringify({ id: 'x', choices })}\n\n`]), good)
  expect((await readStream(await ann.stream({ model }))).text).toBe('from the second')
})

test('comments fill silence while the option is on, also before the first event', async () => {
  await setOption('general_setting.ping_interval_seconds', 1)
  await setOption('general_setting.ping_interval_enabled', true)
  const slow = await served(chat({ text: 'slow answer', pause_ms: 1300 }))
  const dead = await served(hangs(), chat({ text: 'came at last' }))
  const lost = await served(hangs())
  await setOption('RetryTimes', 1)
  setEnv({ UPSTREAM_TIMEOUT: 4 })
  const [patient, saved, failed] = await Promise.all(
    [slow, dead, lost].map(async ({ model }) => readStream(await ann.stream({ model }))),
  )
  await setOption('general_setting.ping_interval_enabled', false)
  for (const { raw } of [patient!, saved!, failed!]) expect(raw).toStartWith(': PING\n\n')
  expect(patient!.raw).toMatch(/data: [\s\S]*: PING\n\n/)
  expect(patient).toMatchObject({ text: 'slow answer', done: true })
  expect(saved).toMatchObject({ text: 'came at last', done: true })
  expect(failed).toMatchObject({ done: false, error: { code: 'upstream_timeout' } })
  expect(await logsOf(ann.person)).toHaveLength(2)
})
