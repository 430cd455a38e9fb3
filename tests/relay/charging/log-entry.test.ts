/** The fields of a usage log. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { flushBuffers } from '../../../src/cluster/write-behind.ts'
import { ATTEMPTS_MIN } from '../../../src/contracts/availability.ts'
import { shiftClock } from '../../../src/process/clock.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, MODEL, RICH } from '../../support/people/client.ts'
import { anyone } from '../../support/people/person.ts'
import { textOf } from '../../support/people/price-forms.ts'
import { afterText, readStream } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { channelNow } from '../../support/upstream/channel.ts'
import { chat, closesAfter, refuses, streams } from '../../support/upstream/chat-scripts.ts'
import { answers } from '../../support/upstream/endpoint-scripts.ts'
import { errorBody } from '../../support/upstream/openai.ts'
import { channelTo, deleteChannels, served, startUpstream } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, serverOf } from '../../support/upstream/translation.ts'

let ann: Client
beforeEach(async () => {
  await deleteChannels()
  ann = await client()
})

const newest = (type?: number) => until(async () => (await logsOf(ann.person, type))[0])

test('a response after a failed attempt logs mapping, cache and every attempt', async () => {
  await setOption('RetryTimes', 1)
  const failing = await served(refuses(500), { priority: 9 })
  const usage = { prompt_tokens: 1000, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 400 } }
  const serving = await served(chat({ usage }), { model_mapping: JSON.stringify({ [MODEL]: 'theirs' }) }, 'theirs')
  const answer = await ann.stream()
  await answer.text()
  const entry = await newest()
  expect(entry).toMatchObject({
    user_id: ann.person.id,
    username: ann.person.username,
    token_name: 'key',
    model_name: MODEL,
    group: 'default',
    channel: serving.id,
    channel_name: serving.name,
    is_stream: true,
    prompt_tokens: 1000,
    completion_tokens: 20,
    request_id: answer.headers.get('x-request-id')!,
  })
  const attempt = { channel: expect.any(Number), name: expect.any(String), ms: expect.any(Number) }
  expect(entry.other).toEqual({
    model_ratio: 1.25,
    group_ratio: 1,
    completion_ratio: 4,
    model_price: -1,
    cache_tokens: 400,
    cache_ratio: 0.5,
    price_version: expect.any(String),
    request_path: '/v1/chat/completions',
    duration_ms: expect.any(Number),
    stream_status: 'finished',
    is_model_mapped: true,
    upstream_model_name: 'theirs',
    frt: expect.any(Number),
    lines: expect.any(Array),
    admin_info: {
      use_channel: [String(failing.id), String(serving.id)],
      attempts: [
        { ...attempt, status: 500, reason: expect.stringMatching(/./) },
        { ...attempt, status: 200, reason: '' },
      ],
    },
  })
})

test('cache writes are logged for 5 minutes and for 1 hour', async () => {
  await setOption('CacheCreationRatio', JSON.stringify({ [MODEL]: 1.25 }))
  await channelFor('anthropic')
  const cache_creation = { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 100 }
  serverOf('anthropic').scripts(answer =>
    answer.json({
      ...{ id: 'm1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
      content: [{ type: 'text', text: 'Hello' }],
      usage: { input_tokens: 10, output_tokens: 4, cache_creation_input_tokens: 300, cache_creation },
    }),
  )
  expect((await callIn('anthropic', ann)).status).toBe(200)
  expect((await newest()).other).toMatchObject({ cache_creation_tokens: 300, cache_creation_ratio: 1.25 })
})

const PAUSE_MS = 30

test('times to the first event and to the end are logged', async () => {
  const { received, read } = afterText('one')
  await served(async (_, answer) => {
    await Bun.sleep(PAUSE_MS)
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    await answer.write(event(piece))
    await received()
    await Bun.sleep(PAUSE_MS)
    await answer.write(event({ id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
    await answer.write('data: [DONE]\n\n')
    await answer.end()
  })
  expect((await read(await ann.stream())).done).toBe(true)
  const { frt, duration_ms } = (await newest()).other
  // A timer may be a moment early.
  expect(frt).toBeGreaterThanOrEqual(PAUSE_MS - 2)
  expect(duration_ms - frt).toBeGreaterThanOrEqual(PAUSE_MS - 2)
})

test('the price page has the median time to first token of streamed calls alone', async () => {
  await served(chat())
  const shown = async () => {
    await flushBuffers()
    shiftClock(61)
    const row = new RegExp(`<tr id="row-${MODEL}".*?</tr>`, 's').exec(await (await anyone.page('/pricing')).text())![0]
    return /\d\.\d+ s/.test(textOf(row))
  }
  for (let call = 0; call < ATTEMPTS_MIN; call++) await (await ann.chat()).text()
  expect(await shown()).toBe(false)
  for (let call = 0; call < ATTEMPTS_MIN; call++) await (await ann.stream()).text()
  await until(shown)
})

test('operators read upstream errors without keys', async () => {
  await setOption('RetryTimes', 1)
  await served(answers(500, errorBody('The account of sk-upstream is in disorder', 'server_error')), { priority: 9 })
  await served(chat())
  expect((await ann.chat()).status).toBe(200)
  expect((await newest()).other.admin_info.attempts[0]).toMatchObject({
    status: 500,
    reason: 'The account of *** is in disorder',
  })
})

test("users read the client's message of a rejected key", async () => {
  await setOption('LogErrorEnabled', true)
  await served(answers(401, errorBody('Your account is closed', 'server_error')))
  expect((await ann.chat()).status).toBe(502)
  await setOption('LogErrorEnabled', false)
  const { items } = (await ann.person.get('/api/log/self/?p=1&page_size=10&type=6')).data
  expect(items).toHaveLength(1)
  expect(JSON.stringify(items)).not.toContain('closed')
})

test("a stream that broke off logs the upstream's reason without keys", async () => {
  const events = [
    { choices: [{ index: 0, delta: { content: 'Well' } }] },
    errorBody('sk-upstream is dry', 'server_error'),
  ]
  await served(streams(events.map(event => `data: ${JSON.stringify(event)}\n\n`)))
  expect((await readStream(await ann.stream())).done).toBe(false)
  expect((await newest()).other.admin_info.attempts).toMatchObject([{ status: 200, reason: '*** is dry' }])
})

test('each failed attempt is logged with the attempts before it', async () => {
  await setOption('RetryTimes', 1)
  await setOption('LogErrorEnabled', true)
  const first = await served(refuses(500), { priority: 9 })
  const second = await served(refuses(429), { model_mapping: JSON.stringify({ [MODEL]: 'theirs' }) }, 'theirs')
  expect((await ann.chat()).status).toBe(429)
  await setOption('LogErrorEnabled', false)
  const [later, earlier] = await logsOf(ann.person, 6)
  expect(earlier).toMatchObject({
    channel: first.id,
    quota: 0,
    other: {
      error_type: 'server_error',
      status_code: 500,
      channel_id: first.id,
      channel_name: first.name,
      channel_type: 1,
      request_path: '/v1/chat/completions',
      admin_info: { use_channel: [String(first.id)], attempts: [{ channel: first.id, status: 500 }] },
    },
  })
  expect(earlier.other).not.toHaveProperty('upstream_model_name')
  expect(later.other).toMatchObject({ is_model_mapped: true, upstream_model_name: 'theirs' })
  expect(later.other.admin_info).toMatchObject({
    use_channel: [String(first.id), String(second.id)],
    attempts: [{ status: 500 }, { status: 429 }],
  })
  expect(await logsOf(ann.person, 6)).toHaveLength(2)
  // Nobody's figures have moved.
  expect((await ann.person.get('/api/user/self')).data).toMatchObject({ quota: RICH, used_quota: 0, request_count: 0 })
  expect((await ann.person.get('/api/token/?p=0&size=10')).data).toMatchObject([{ used_quota: 0, status: 1 }])
  for (const { id } of [first, second]) expect(await channelNow(id)).toMatchObject({ used_quota: 0 })
})

const event = (body: object) => `data: ${JSON.stringify(body)}\n\n`
const piece = { id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'one' } }] }
const fire = errorBody('The GPU of sk-upstream is on fire', 'server_error')

const { received, read } = afterText('one')
test.each([
  ['said so', streams([event(piece), event(fire)]), 'The GPU of *** is on fire'],
  ['hung up', closesAfter(2, { received }), 'relay.upstream_broke_off'],
] as const)('a stream whose upstream %s logs why it broke off', async (_, script, reason) => {
  const { id } = await served(script)
  expect(await read(await ann.stream())).toMatchObject({ done: false, error: expect.anything() })
  const { other } = await newest()
  expect(other).toMatchObject({ stream_status: 'broken', partial: true })
  expect(other.admin_info.attempts).toMatchObject([{ channel: id, status: 200, reason }])
})

describe('reasoning effort in the log', () => {
  test.each([
    ['openai-chat', { reasoning_effort: 'low' }, 'low'],
    ['openai-responses', { reasoning: { effort: 'medium' } }, 'medium'],
    ['anthropic', { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }, 'high'],
    ['gemini', { generationConfig: { thinkingConfig: { thinkingLevel: 'HIGH' } } }, 'high'],
    ['openai-chat', {}, undefined],
  ] as const)('clients of %s set it in the body: %j', async (format, fields, effort) => {
    await channelFor('openai-chat')
    serverOf('openai-chat').plays('text')
    expect((await callIn(format, ann, fields)).status).toBe(200)
    expect((await newest()).other.reasoning_effort).toBe(effort)
  })

  test('the model name sets the effort', async () => {
    await setOption('ModelRatio', JSON.stringify({ 'o3-mini-high': 1 }))
    const upstream = await startUpstream(chat(), 'o3-mini')
    await channelTo(upstream, { models: 'o3-mini-high' })
    expect((await ann.chat({ model: 'o3-mini-high', reasoning_effort: 'low' })).status).toBe(200)
    expect(upstream.journal[0]!.body.reasoning_effort).toBe('high')
    expect((await newest()).other.reasoning_effort).toBe('high')
    await setOption('ModelRatio', JSON.stringify({ [MODEL]: 1.25 }))
  })
})

test.each(['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const)(
  'texts of a %s call are logged by role while the option is on',
  async format => {
    const turns = [
      ['user', 'One?'],
      ['assistant', 'Two.'],
      ['user', 'Three?'],
    ] as const
    const messages = turns.map(([role, content]) => ({ role, content }))
    const fields = {
      'openai-chat': { messages: [{ role: 'system', content: 'Count.' }, ...messages] },
      'openai-responses': { instructions: 'Count.', input: messages },
      anthropic: { system: 'Count.', messages },
      gemini: {
        systemInstruction: { parts: [{ text: 'Count.' }] },
        contents: turns.map(([role, text]) => ({ role: role === 'user' ? role : 'model', parts: [{ text }] })),
      },
    }
    await channelFor('openai-chat')
    serverOf('openai-chat').plays('text')
    await setOption('LogChatContentEnabled', true)
    await callIn(format, ann, fields[format])
    await setOption('LogChatContentEnabled', false)
    await callIn(format, ann, fields[format])
    const [without, entry] = await until(async () => {
      const entries = await logsOf(ann.person)
      return entries.length === 2 && entries
    })
    expect(entry.other).toMatchObject({
      system_prompt: 'Count.',
      context: 'user: One?\nassistant: Two.',
      input_content: 'Three?',
      output_content: expect.stringMatching(/./),
    })
    for (const field of ['system_prompt', 'context', 'input_content', 'output_content'])
      expect(without.other).not.toHaveProperty(field)
  },
)

test('long texts are cut at the limit', async () => {
  await served(chat({ text: 'answer '.repeat(10_000), chunks: 10 }))
  await setOption('LogChatContentEnabled', true)
  await (await ann.stream({ messages: [{ role: 'user', content: '🙂'.repeat(40_000) }] })).text()
  await setOption('LogChatContentEnabled', false)
  const { input_content, output_content } = (await newest()).other
  expect(input_content).toBe(`${'🙂'.repeat(16_384)}…`)
  expect(output_content).toHaveLength(32_769)
})
