/** Chat completions, whole and streamed, billed to the unit. */
import { expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { client, MODEL, quotaOf, RICH } from '../../support/people/client.ts'
import { readStream } from '../../support/people/responses.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const upstream = await startUpstream(chat({ text: 'Hello there, friend', usage }))
await channelTo(upstream)

test('a whole response passes unchanged and is billed by its usage', async () => {
  const ann = await client()
  const response = await ann.chat()
  expect(response.status).toBe(200)
  const answer = (await response.json()) as any
  expect(answer).toMatchObject({
    choices: [{ message: { content: 'Hello there, friend' }, finish_reason: 'stop' }],
    usage,
  })
  expect(await ann.balance()).toBe(RICH - quotaOf(100, 20))
  const [entry] = await logsOf(ann.person)
  expect(entry).toMatchObject({
    model_name: MODEL,
    prompt_tokens: 100,
    completion_tokens: 20,
    quota: quotaOf(100, 20),
    is_stream: false,
    request_id: response.headers.get('x-request-id'),
    other: {
      model_ratio: 1.25,
      completion_ratio: 4,
      group_ratio: 1,
      model_price: -1,
      request_path: '/v1/chat/completions',
    },
  })
})

test('a stream passes event by event, ends with [DONE] and costs the same', async () => {
  const ann = await client()
  const response = await ann.stream()
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const stream = await readStream(response)
  expect(stream).toMatchObject({ text: 'Hello there, friend', done: true, usage: undefined })
  expect(await ann.balance()).toBe(RICH - quotaOf(100, 20))
  expect(upstream.journal.at(-1)!.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
})

test('include_usage adds the usage to the stream', async () => {
  const ann = await client()
  const stream = await readStream(await ann.stream({ stream_options: { include_usage: true } }))
  expect(stream).toMatchObject({ usage, done: true })
  expect(upstream.violations).toEqual([])
})

test('chunk boundaries change neither the bytes nor the bill of a stream', async () => {
  const text = '你好, "quoted"\n\tand 🌍 beyond'
  const ann = await client()
  const raw = async (cut_at?: number) => {
    upstream.scripts(MODEL, chat({ text, cut_at }))
    const bytes = await (await ann.stream()).text()
    return bytes.replace(/"created":\d+/g, '')
  }
  const whole = await raw()
  const { length } = Buffer.from(whole)
  for (let cut = 1; cut < length; cut += 13) expect(await raw(cut)).toBe(whole)
  const entries = await logsOf(ann.person)
  expect(new Set(entries.map((entry: { quota: number }) => entry.quota)).size).toBe(1)
})
