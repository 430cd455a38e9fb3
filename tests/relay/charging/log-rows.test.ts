/** Whole entries of the usage log, one of each kind of call: a field more, less or with another value fails. */
import { beforeEach, expect, test } from 'bun:test'
import { skipTime } from '../../../src/process/clock.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, MODEL } from '../../support/people/client.ts'
import { until } from '../../support/until.ts'
import { chat, refuses } from '../../support/upstream/chat-scripts.ts'
import { embeddings } from '../../support/upstream/endpoint-scripts.ts'
import type { Script } from '../../support/upstream/openai.ts'
import { deleteChannels, served } from '../../support/upstream/served-channel.ts'

/** Seconds until the upstream answers, and from its first event to its last. */
const [FIRST_S, REST_S] = [30, 40]

const late =
  (script: Script): Script =>
  async (call, answer) => {
    skipTime(FIRST_S)
    await script(call, answer)
  }

const rounded = (seconds: number) => Math.round(seconds / 10) * 10

/** Times to ten seconds, which the machine does not lose. */
function timed({ use_time, other, ...entry }: any): any {
  const named = Object.entries<any>(other).map(([name, value]) =>
    name === 'frt' || name === 'duration_ms' ? [name, rounded(value / 1000)] : [name, value],
  )
  const times = Object.fromEntries(named)
  for (const attempt of times.admin_info.attempts) attempt.ms = rounded(attempt.ms / 1000)
  return { ...entry, use_time: rounded(use_time), other: times }
}
let ann: Client
beforeEach(async () => {
  await deleteChannels()
  ann = await client({ name: 'a key' })
})
const newest = (type?: number) => until(async () => (await logsOf(ann.person, type))[0])

/** @param fields beside those of every entry */
const entryOf = ({ id, name }: { id: number; name: string }, fields: object) => ({
  ...{ id: expect.any(Number), user_id: ann.person.id, username: ann.person.username, created_at: expect.any(Number) },
  ...{ token_id: expect.any(Number), token_name: 'a key', model_name: MODEL, group: 'default' },
  ...{ channel: id, channel_name: name, content: '', request_id: expect.stringMatching(/^req_/) },
  ...fields,
})
const servedBy = ({ id, name }: { id: number; name: string }, ms: number) => ({
  use_channel: [String(id)],
  attempts: [{ channel: id, name, status: 200, reason: '', ms }],
})
const ratios = { model_ratio: 1.25, group_ratio: 1, completion_ratio: 4, model_price: -1, cache_ratio: 0.5 }
const line = (bucket: string, count: number, unit_price: number, ratio: string, amount: string) => ({
  ...{ bucket, count, unit_price, per: 1_000_000, ratio, amount },
})
const version = { price_version: expect.stringMatching(/^[0-9a-f]{12}$/) }
const plain = { prompt_tokens: 11, completion_tokens: 5 }
const plainLines = [line('input', 11, 2.5, '1.25', '13.75'), line('output', 5, 10, '5', '25')]

test('log entry of a whole response: every field', async () => {
  const channel = await served(late(chat({ usage: plain })))
  await (await ann.chat()).text()
  expect(timed(await newest())).toEqual(
    entryOf(channel, {
      ...{ type: 2, is_stream: false, use_time: FIRST_S, ...plain, quota: 39 },
      other: {
        ...{ ...ratios, ...version, cache_tokens: 0, request_path: '/v1/chat/completions' },
        ...{ duration_ms: FIRST_S, frt: FIRST_S, lines: plainLines, admin_info: servedBy(channel, FIRST_S) },
      },
    }),
  )
})

test('log entry of a stream: every field', async () => {
  const events = [{ choices: [{ index: 0, delta: { content: 'Hello' } }] }]
  const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
  const report = { choices: [], usage: plain }
  const channel = await served(
    late(async (_, answer) => {
      await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
      for (const event of events) await answer.write(`data: ${JSON.stringify({ id: 'x', ...event })}\n\n`)
      await Bun.sleep(20)
      skipTime(REST_S)
      for (const event of [last, report]) await answer.write(`data: ${JSON.stringify({ id: 'x', ...event })}\n\n`)
      await answer.write('data: [DONE]\n\n')
      await answer.end()
    }),
  )
  await (await ann.stream()).text()
  const whole = FIRST_S + REST_S
  expect(timed(await newest())).toEqual(
    entryOf(channel, {
      ...{ type: 2, is_stream: true, use_time: whole, ...plain, quota: 39 },
      other: {
        ...{ ...ratios, ...version, cache_tokens: 0, request_path: '/v1/chat/completions', stream_status: 'finished' },
        ...{ duration_ms: whole, frt: FIRST_S, lines: plainLines, admin_info: servedBy(channel, FIRST_S) },
      },
    }),
  )
})

test('log entry of embeddings: every field', async () => {
  const model = 'text-embedding-3-large'
  const channel = await served(late(embeddings({ prompt_tokens: 1000, total_tokens: 1000 })), { models: model }, model)
  await (await ann.postTo('/v1/embeddings', { model, input: ['one'] })).text()
  expect(timed(await newest())).toEqual(
    entryOf(channel, {
      ...{ type: 2, model_name: model, is_stream: false, use_time: FIRST_S },
      ...{ prompt_tokens: 1000, completion_tokens: 0, quota: 65 },
      other: {
        ...{ ...ratios, model_ratio: 0.065, completion_ratio: 1, cache_ratio: 1, ...version, cache_tokens: 0 },
        ...{ request_path: '/v1/embeddings', duration_ms: FIRST_S, frt: FIRST_S },
        ...{ lines: [line('input', 1000, 0.13, '0.065', '65')], admin_info: servedBy(channel, FIRST_S) },
      },
    }),
  )
})

test('log entry of a failed call: every field', async () => {
  const { id, name } = await served(late(refuses(429)))
  await setOption('LogErrorEnabled', true)
  await (await ann.stream()).text()
  await setOption('LogErrorEnabled', false)
  expect(timed(await newest(6))).toEqual(
    entryOf(
      { id, name },
      {
        ...{ type: 6, is_stream: true, use_time: 0, prompt_tokens: 0, completion_tokens: 0, quota: 0 },
        content: 'The upstream load of this group is saturated, please try again later',
        other: {
          ...{ error_type: 'upstream_error', error_code: 'upstream_saturated', status_code: 429 },
          ...{ channel_id: id, channel_name: name, channel_type: 1, request_path: '/v1/chat/completions' },
          ...{ message_key: 'relay.upstream_saturated', params: { status: 429 } },
          admin_info: {
            use_channel: [String(id)],
            attempts: [{ channel: id, name, status: 429, reason: 'Rate limit reached for requests', ms: FIRST_S }],
          },
        },
      },
    ),
  )
})

/** What a report brings into the entry, beside the fields of a plain response. */
const reports: [title: string, usage: object, columns: object, details: object, lines: object[]][] = [
  [
    'cached tokens',
    { prompt_tokens: 100, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 40 } },
    { prompt_tokens: 100, completion_tokens: 10, quota: 150 },
    { cache_tokens: 40 },
    [
      line('input', 60, 2.5, '1.25', '75'),
      line('cache_read', 40, 1.25, '0.625', '25'),
      line('output', 10, 10, '5', '50'),
    ],
  ],
  [
    'thinking',
    { prompt_tokens: 100, completion_tokens: 10, completion_tokens_details: { reasoning_tokens: 6 } },
    { prompt_tokens: 100, completion_tokens: 10, quota: 175 },
    { reasoning_tokens: 6 },
    [
      line('input', 100, 2.5, '1.25', '125'),
      line('output', 10, 10, '5', '50'),
      { ...line('reasoning', 6, 0, '0', '0'), per: 1 },
    ],
  ],
  [
    'sound both ways',
    {
      ...{ prompt_tokens: 100, completion_tokens: 30, prompt_tokens_details: { audio_tokens: 60, cached_tokens: 10 } },
      completion_tokens_details: { audio_tokens: 20 },
    },
    { prompt_tokens: 100, completion_tokens: 30, quota: 2094 },
    {
      ...{ cache_tokens: 10, audio: true, audio_input: 60, audio_output: 20, text_input: 40, text_output: 10 },
      ...{ audio_ratio: 16, audio_completion_ratio: 2 },
    },
    [
      line('input', 30, 2.5, '1.25', '37.5'),
      line('cache_read', 10, 1.25, '0.625', '6.25'),
      line('input_audio', 60, 40, '20', '1200'),
      line('output', 10, 10, '5', '50'),
      line('output_audio', 20, 80, '40', '800'),
    ],
  ],
  [
    'nothing',
    {},
    { prompt_tokens: 9, completion_tokens: 1, quota: 16 },
    { counted_locally: true },
    [line('input', 9, 2.5, '1.25', '11.25'), line('output', 1, 10, '5', '5')],
  ],
]

test.each(reports)(
  'log entry of a report of %s: columns, details and lines',
  async (_, usage, columns, more, lines) => {
    await setOption('AudioRatio', JSON.stringify({ [MODEL]: 16 }))
    await setOption('AudioCompletionRatio', JSON.stringify({ [MODEL]: 2 }))
    const channel = await served(chat({ text: 'Hello', usage }))
    await (await ann.chat()).text()
    const entry = timed(await newest())
    const other = {
      ...{ ...ratios, ...version, cache_tokens: 0, request_path: '/v1/chat/completions', duration_ms: 0, frt: 0 },
      ...{ ...more, lines, admin_info: servedBy(channel, 0) },
    }
    expect(entry).toEqual(entryOf(channel, { type: 2, is_stream: false, use_time: 0, ...columns, other }))
  },
)
