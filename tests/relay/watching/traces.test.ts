/** What a collector gets of calls, by OTLP. */
import { describe, expect, test } from 'bun:test'
import { setOption } from '../../support/app/options.ts'
import { setEnv } from '../../support/env.ts'
import { answer, bob, collector, context, id, scripts, spansOf, traced, upstream } from '../../support/otlp/traced.ts'
import { MODEL, quotaOf } from '../../support/people/client.ts'
import { music } from '../../support/people/tasks.ts'
import { until } from '../../support/until.ts'
import { closesAfter, inTurn, refuses } from '../../support/upstream/chat-scripts.ts'
import { realtimeUpstream } from '../../support/upstream/realtime.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'
import { sunoUpstream } from '../../support/upstream/suno.ts'
import { sunoChannel } from '../../support/upstream/suno-channel.ts'

const SERVER = 'POST /v1/chat/completions'

test('a whole response has a server span, admit, reserve, the model, its request and settle', async () => {
  const { spans, parent } = await traced(init => bob.chat({ temperature: 1, max_tokens: 50 }, init))
  expect([...spans.keys()].sort()).toEqual(['POST', SERVER, 'admit', `chat ${MODEL}`, 'reserve', 'settle'].sort())
  const server = spans.get(SERVER)!
  const model = spans.get(`chat ${MODEL}`)!
  const request = spans.get('POST')!
  expect(server).toMatchObject({ kind: 2, parent, state: 'shop=cart-7', failed: false })
  expect(server.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/v1/chat/completions',
    'http.response.status_code': 200n,
    'tollgate.channel': BigInt(id),
    'tollgate.quota': BigInt(quotaOf(60 + 40 / 2, 20)),
    'tollgate.reason': 'finished',
  })
  for (const name of ['admit', 'reserve', 'settle'])
    expect(spans.get(name)).toMatchObject({ kind: 1, parent: server.id })
  expect(model).toMatchObject({ kind: 3, parent: server.id, failed: false })
  expect(model.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': MODEL,
    'gen_ai.request.max_tokens': 50n,
    'gen_ai.request.temperature': 1,
    'gen_ai.response.model': MODEL,
    'gen_ai.response.id': 'chatcmpl-fake',
    'gen_ai.usage.input_tokens': 100n,
    'gen_ai.usage.output_tokens': 20n,
    'gen_ai.usage.cache_read.input_tokens': 40n,
  })
  expect(request).toMatchObject({ kind: 3, parent: model.id, failed: false })
  expect(request.attributes).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': 200n,
    'server.address': '127.0.0.1',
    'server.port': BigInt(new URL(upstream.url).port),
    'url.full': `${upstream.url}/v1/chat/completions`,
    'tollgate.channel': BigInt(id),
  })
  const order = ['admit', 'reserve', `chat ${MODEL}`, 'settle'].map(name => spans.get(name)!)
  for (const [index, span] of order.slice(1).entries()) expect(span.start).toBeGreaterThanOrEqual(order[index]!.end)
})

test('a stream lasts to its end and has the time to its first chunk', async () => {
  const { spans } = await traced(init => bob.stream({}, init))
  const model = spans.get(`chat ${MODEL}`)!
  expect(model.attributes['gen_ai.request.stream']).toBe(true)
  expect(Number(model.attributes['gen_ai.response.time_to_first_chunk'])).toBeWithin(0, 5)
})

test('a stream that breaks off is a failed request and a failed model, and the reason of the call', async () => {
  scripts(closesAfter(2))
  const { spans } = await traced(init => bob.stream({}, init))
  scripts(answer)
  for (const name of ['POST', `chat ${MODEL}`])
    expect(spans.get(name)).toMatchObject({ failed: true, attributes: { 'error.type': 'broken' } })
  expect(spans.get(SERVER)!.attributes).toMatchObject({ 'tollgate.reason': 'broken', 'error.type': 'broken' })
})

test('a repeated call has a request for each attempt below one model', async () => {
  await setOption('RetryTimes', '2')
  const first = await startUpstream(refuses(500), 'gpt-4.1')
  const second = await startUpstream(inTurn(answer), 'gpt-4.1')
  const failing = await channelTo(first, { models: 'gpt-4.1', priority: 9 })
  const answering = await channelTo(second, { models: 'gpt-4.1' })
  const { trace } = await traced(init => bob.chat({ model: 'gpt-4.1' }, init))
  const requests = collector.spans.filter(span => span.trace === trace && span.name === 'POST')
  const [one, two] = requests.toSorted((a, b) => Number(a.start - b.start))
  expect(one).toMatchObject({
    failed: true,
    attributes: {
      'error.type': '500',
      'http.response.status_code': 500n,
      'tollgate.channel': BigInt(failing.id),
    },
  })
  expect(two).toMatchObject({
    failed: false,
    parent: one!.parent,
    attributes: { 'http.request.resend_count': 1n, 'tollgate.channel': BigInt(answering.id) },
  })
  expect(collector.named(trace).get('chat gpt-4.1')).toMatchObject({ id: one!.parent, failed: false })
})

test('a call that every upstream refuses fails with the code that its client gets', async () => {
  scripts(refuses(400))
  const { spans, status } = await traced(init => bob.chat({}, init))
  scripts(answer)
  expect(status).toBe(400)
  expect(spans.get(`chat ${MODEL}`)).toMatchObject({ failed: true })
  expect(spans.get(SERVER)).toMatchObject({
    failed: false,
    attributes: { 'http.response.status_code': 400n, 'tollgate.quota': 0n, 'tollgate.reason': 'failed' },
  })
})

test('a refused call has the error in admit, and its status', async () => {
  const { spans } = await traced(init => bob.chat({ model: 'made "up"\n' }, init), 'admit')
  expect([...spans.keys()].sort()).toEqual([SERVER, 'admit'].sort())
  expect(spans.get('admit')!.failed).toBe(true)
  expect(spans.get(SERVER)!.attributes['http.response.status_code']).toBe(404n)
})

test('a session over a WebSocket is one call from its opening to its bill', async () => {
  const sessions = realtimeUpstream()
  sessions.turns.push({ usage: { total_tokens: 3, input_tokens: 2, output_tokens: 1 } })
  const model = 'gpt-4o-realtime-preview'
  await channelTo(sessions.url, { models: model })
  const { trace, headers } = context()
  const url = `${bob.url.replace('http', 'ws')}/v1/realtime?model=${model}`
  const socket = new WebSocket(url, { headers: { ...headers, authorization: `Bearer sk-${bob.key}` } } as never)
  await new Promise(resolve => socket.addEventListener('message', resolve, { once: true }))
  socket.close()
  const spans = await spansOf(trace)
  sessions.stop()
  expect(spans.get('GET /v1/realtime')!.attributes).toMatchObject({ 'http.response.status_code': 101n })
  expect(spans.get('GET')!.attributes).toMatchObject({ 'http.response.status_code': 101n })
  expect(spans.get(`realtime ${model}`)!.attributes).toMatchObject({ 'gen_ai.request.model': model })
})

test('a task ends with its acceptance, and has the id that the upstream gave it', async () => {
  const singer = await sunoUpstream()
  await sunoChannel(singer)
  const { spans } = await traced(init => bob.postTo('/suno/submit/music', music, init))
  expect(spans.get('music suno_music')!.attributes).toMatchObject({ 'gen_ai.response.id': expect.any(String) })
  expect(spans.get('POST /suno/submit/music')!.attributes).toMatchObject({ 'tollgate.reason': 'finished' })
})

test('a background response is one call that ends after its answer to the client', async () => {
  const body = { model: MODEL, input: 'Hi', background: true }
  const { spans, status, trace } = await traced(init => bob.postTo('/v1/responses', body, init))
  expect(status).toBe(200)
  expect([...spans.keys()]).toEqual(expect.arrayContaining(['admit', 'reserve', 'POST', `chat ${MODEL}`, 'settle']))
  expect(collector.spans.filter(span => span.trace === trace && span.kind === 2)).toHaveLength(1)
})

test('a chat of the playground is traced, with its session as the credential', async () => {
  const body = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }] })
  const post = ({ headers }: RequestInit) =>
    bob.person.fetch('/pg/chat/completions', { method: 'POST', body, headers: headers as Record<string, string> })
  const { spans, status } = await traced(post)
  expect(status).toBe(200)
  expect([...spans.keys()]).toContain('POST /pg/chat/completions')
})

describe('context', () => {
  test('upstreams get none unless PassTraceContext is on', async () => {
    await traced(init => bob.chat({}, init))
    expect(upstream.journal.at(-1)!.headers).not.toHaveProperty('traceparent')
    await setOption('PassTraceContext', 'true')
    const { spans, trace } = await traced(init => bob.chat({}, init))
    await setOption('PassTraceContext', 'false')
    expect(upstream.journal.at(-1)!.headers).toMatchObject({
      traceparent: `00-${trace}-${spans.get('POST')!.id}-01`,
      tracestate: 'shop=cart-7',
    })
  })

  test.each([
    `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
    `00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`,
    `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01-more`,
    'nonsense',
  ])('%s names no trace: a new one begins', async traceparent => {
    const from = collector.spans.length
    await (await bob.chat({}, { headers: { traceparent, tracestate: 'x=1' } })).text()
    await until(() => collector.spans.slice(from).some(({ kind }) => kind === 2))
    const server = collector.spans.slice(from).find(({ kind }) => kind === 2)!
    expect([server.parent, server.state]).toEqual([undefined, undefined])
    expect(traceparent).not.toContain(server.trace)
  })
})

describe('content', () => {
  const question = 'A question of the client'
  const messages = [
    { role: 'system', content: 'Be brief' },
    { role: 'user', content: question },
  ]
  const everything = () => JSON.stringify(collector.spans, (_, value) => (typeof value === 'bigint' ? '' : value))

  test('prompts, answers and keys stand in no span unless the variable says so', async () => {
    for (const stream of [false, true]) await traced(init => bob.chat({ messages, stream }, init))
    for (const text of [question, 'An answer of', bob.key, 'sk-upstream']) expect(everything()).not.toContain(text)
  })

  test.each([false, true])('messages stand in the span of the model when it does; streamed: %p', async stream => {
    setEnv({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: true })
    const { spans } = await traced(init => bob.chat({ messages, stream }, init))
    const { attributes } = spans.get(`chat ${MODEL}`)!
    const read = (name: string) => JSON.parse(String(attributes[name]))
    expect(read('gen_ai.system_instructions')).toEqual([{ type: 'text', content: 'Be brief' }])
    expect(read('gen_ai.input.messages')).toEqual([{ role: 'user', parts: [{ type: 'text', content: question }] }])
    expect(read('gen_ai.output.messages')).toMatchObject([
      { role: 'assistant', parts: [{ type: 'text', content: 'An answer of the model' }] },
    ])
    for (const key of [bob.key, 'sk-upstream']) expect(everything()).not.toContain(key)
  })
})
