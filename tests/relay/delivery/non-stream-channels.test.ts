// @engine sqlite
/** Streams from channels without streams: one event, with comments while it is awaited. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, MODEL, quotaOf, RICH } from '../../support/people/client.ts'
import { readStream } from '../../support/people/responses.ts'
import { chat, errorInside, refuses } from '../../support/upstream/chat-scripts.ts'
import type { Script } from '../../support/upstream/openai.ts'
import { channelTo, deleteChannels, served } from '../../support/upstream/served-channel.ts'

const setting = '{"stream_support":"NON_STREAM_ONLY"}'
const usage = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 }
let ann: Client

beforeEach(async () => {
  await setOption('RetryTimes', 1)
  await deleteChannels()
  ann = await client()
})
afterEach(() => setOption('general_setting.ping_interval_enabled', false))

test('the upstream is asked for a whole response and the client gets a stream of one event', async () => {
  const { upstream } = await served(chat({ text: 'All at once', usage }), { setting })
  const stream = await readStream(await ann.stream({ stream_options: { include_usage: true } }))
  expect(stream).toMatchObject({ text: 'All at once', done: true, usage })
  expect(stream.events).toHaveLength(2)
  expect(stream.events[0]).toMatchObject({
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: 'stop' }],
  })
  expect(upstream.journal[0]!.body).toMatchObject({ stream: false })
  expect(upstream.violations).toEqual([])
  expect(await ann.balance()).toBe(RICH - quotaOf(10, 4))
  expect((await logsOf(ann.person))[0]).toMatchObject({ is_stream: true, completion_tokens: 4 })
})

test('a client that asks for no usage gets none and is billed by it', async () => {
  await served(chat({ text: 'Hi', usage }), { setting })
  const stream = await readStream(await ann.stream())
  expect(stream).toMatchObject({ text: 'Hi', done: true, usage: undefined })
  expect(await ann.balance()).toBe(RICH - quotaOf(10, 4))
})

test('tool calls carry their indexes', async () => {
  const tool_calls = ['a', 'b'].map(id => ({ id, name: 'look', arguments: `{"at":"${id}"}` }))
  await served(chat({ tool_calls, usage }), { setting })
  const { events } = await readStream(await ann.stream())
  expect(events[0].choices[0]).toMatchObject({
    delta: {
      tool_calls: [
        { index: 0, id: 'a' },
        { index: 1, id: 'b' },
      ],
    },
    finish_reason: 'tool_calls',
  })
})

test('a client that does not stream gets the whole response', async () => {
  await served(chat({ text: 'Whole', usage }), { setting })
  expect(((await (await ann.chat()).json()) as any).choices[0].message.content).toBe('Whole')
})

test.each([
  ['a refusal', refuses(500)],
  ['an error inside 200', errorInside()],
])('%s fails with a status, and another channel may serve', async (_, script) => {
  const failing = await served(script, { setting, priority: 9 })
  expect((await ann.stream()).status).toBe(502)
  const other = await served(chat({ text: 'from another' }))
  expect(await readStream(await ann.stream())).toMatchObject({ text: 'from another', done: true })
  expect([failing.calls(), other.calls()]).toEqual([2, 1])
})

test('an upstream of another format is asked for a whole response too', async () => {
  const GEMINI = 24
  const asked: string[] = []
  const gemini = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      asked.push(new URL(request.url).pathname)
      const content = { role: 'model', parts: [{ text: 'All at once' }] }
      const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 4, totalTokenCount: 14 }
      return Response.json({ candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata })
    },
  })
  await channelTo(`http://127.0.0.1:${gemini.port}`, { type: GEMINI, setting })
  const stream = await readStream(await ann.stream())
  await gemini.stop(true)
  expect(stream).toMatchObject({ text: 'All at once', done: true })
  expect(asked).toEqual([`/v1beta/models/${MODEL}:generateContent`])
  expect(await ann.balance()).toBe(RICH - quotaOf(10, 4))
})

test('a client of another format gets its stream from a whole chat', async () => {
  const { upstream } = await served(chat({ text: 'All at once', usage }), { setting })
  const body = { model: MODEL, max_tokens: 50, stream: true, messages: [{ role: 'user', content: 'Say hello' }] }
  const text = await (await ann.postTo('/v1/messages', body)).text()
  expect(text).toContain('All at once')
  expect(text).toContain('message_stop')
  expect(upstream.journal[0]!.body.stream).not.toBe(true)
})

const after =
  (ms: number, script: Script): Script =>
  async (call, answer) => {
    await Bun.sleep(ms)
    return script(call, answer)
  }

test('comments fill the wait, and failures behind them are retried or reported', async () => {
  await setOption('general_setting.ping_interval_seconds', 1)
  await setOption('general_setting.ping_interval_enabled', true)
  const slow = await served(after(1300, refuses(500)), { setting, priority: 9 })
  const other = await served(chat({ text: 'from another' }), { setting })
  const stream = await readStream(await ann.stream())
  expect(stream).toMatchObject({ text: 'from another', done: true })
  expect(stream.raw).toStartWith(': ')
  other.scripts(refuses(500))
  const failed = await ann.stream()
  expect(failed.status).toBe(200)
  expect(await readStream(failed)).toMatchObject({ done: false, error: { message: expect.any(String) } })
  expect(slow.calls()).toBe(2)
})
