// @engine sqlite
/** Cohere: its own client against the strict server, prices by search unit, long lists of inputs, refusals. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { CohereClientV2 } from 'cohere-ai'
import { app } from '../support/app/app.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { recordedProviders } from '../support/upstream/fixtures.ts'
import { listen } from '../support/upstream/http-server.ts'
import { Pause } from '../support/upstream/paused-upstream.ts'
import type { Json } from '../support/upstream/strict-provider.ts'

const { server, upstream, fixtures } = (await recordedProviders()).find(({ name }) => name === 'cohere')!
const recorded = Object.fromEntries(fixtures)
const root = await setUp()
const CHAT = 'command-a-03-2025'
const QUOTA_PER_USD = 500_000

await setOption('ModelPrice', JSON.stringify({ 'rerank-by-unit': 0.002 }))
await setOption('ModelRatio', JSON.stringify({ 'rerank-by-token': 1, 'embed-long': 1, [CHAT]: 1 }))

let ann: Client
beforeEach(async () => {
  ann = await client()
})

const expectsOf = (name: string) => upstream.expects(server.channel, recorded[name]!.answers)

describe("Cohere's own client against the strict server", () => {
  const own = new CohereClientV2({ token: server.channel.key, environment: upstream.url })

  test('a chat is understood', async () => {
    expectsOf('chat')
    const { message, finishReason, usage } = await own.chat({
      model: CHAT,
      messages: [{ role: 'user', content: 'Say hello' }],
    })
    expect(upstream.violations()).toEqual([])
    expect(message.content).toEqual([{ type: 'text', text: 'Hello.' }])
    expect([finishReason, usage?.tokens?.inputTokens, usage?.cachedTokens]).toEqual(['COMPLETE', 71, 20])
  })

  test('a streamed chat with a plan and tool calls is understood', async () => {
    expectsOf('tools-streamed')
    const messages = [{ role: 'user' as const, content: 'Weather in Oslo, and the time?' }]
    const tools = recorded['tools-streamed']!.sent.body.tools
    let [plan, calls] = ['', '']
    let finish: string | undefined
    for await (const event of await own.chatStream({ model: CHAT, messages, tools })) {
      if (event.type === 'tool-plan-delta') plan += event.delta?.message?.toolPlan ?? ''
      if (event.type === 'tool-call-start') calls += ` ${event.delta?.message?.toolCalls?.function?.name}`
      if (event.type === 'tool-call-delta') calls += event.delta?.message?.toolCalls?.function?.arguments ?? ''
      if (event.type === 'message-end') finish = event.delta?.finishReason
    }
    expect(upstream.violations()).toEqual([])
    expect([plan, calls, finish]).toEqual(['I look up both.', ' weather{"city":"Oslo"} nownull', 'TOOL_CALL'])
  })

  test('embeddings are understood', async () => {
    expectsOf('embeddings')
    const request = { model: 'embed-v4.0', texts: ['one', 'two'], inputType: 'search_document' as const }
    const { embeddings, meta } = await own.embed({ ...request, embeddingTypes: ['float'] })
    expect(upstream.violations()).toEqual([])
    expect(embeddings.float).toEqual([
      [0.5, -0.25],
      [1, 0],
    ])
    expect(meta?.billedUnits?.inputTokens).toBe(7)
  })

  test('a rerank is understood', async () => {
    expectsOf('rerank')
    const { results, meta } = await own.rerank({ model: 'rerank-v3.5', query: 'fruit', documents: ['stone', 'apple'] })
    expect(upstream.violations()).toEqual([])
    expect(results.map(({ index }) => index)).toEqual([1, 0])
    expect(meta?.billedUnits?.searchUnits).toBe(1)
  })
})

async function channelFor(models: string, base_url = upstream.url) {
  const { id } = await makeChannel(root, { ...server.channel, models, base_url })
  return {
    async [Symbol.asyncDispose]() {
      await root.delete(`/api/channel/${id}`)
    },
  }
}

const rerank = (model: string) =>
  ann.postTo('/v1/rerank', { model, query: 'fruit', documents: Array.from({ length: 250 }, (_, at) => `fruit ${at}`) })

const reranked = (meta: Json) => ({
  body: { id: 'r', results: [{ index: 0, relevance_score: 0.9 }], meta: { api_version: { version: '2' }, ...meta } },
})

test('a rerank with a price per call is billed by its search units', async () => {
  await using _ = await channelFor('rerank-by-unit')
  upstream.expects(server.channel, reranked({ billed_units: { search_units: 3 } }))
  const before = await ann.balance()
  expect((await rerank('rerank-by-unit')).status).toBe(200)
  const [{ quota, other }] = await logsOf(ann.person)
  expect(quota).toBe(3 * 0.002 * QUOTA_PER_USD)
  expect(before - (await ann.balance())).toBe(quota)
  expect(other.lines).toMatchObject([{ bucket: 'call', count: 3, unit_price: 0.002 }])
  expect(other.counted_locally ?? false).toBe(false)
})

test('a rerank with a price per token is billed by its tokens, whatever its search units', async () => {
  await using _ = await channelFor('rerank-by-token')
  upstream.expects(server.channel, reranked({ billed_units: { search_units: 3 }, tokens: { input_tokens: 812 } }))
  expect((await rerank('rerank-by-token')).status).toBe(200)
  const [{ quota, other }] = await logsOf(ann.person)
  expect(quota).toBe(812)
  expect(other.lines).toMatchObject([{ bucket: 'input', count: 812 }])
})

/** Answers each text `n` with the vector `[n]`, one token a text. */
async function embedder(failsWith?: string) {
  const parts: number[] = []
  let [open, most] = [0, 0]
  const waiting: (() => void)[] = []
  const listening = await listen(async ({ body }, answer) => {
    const { texts } = JSON.parse(body)
    parts.push(texts.length)
    most = Math.max(most, ++open)
    // The first parts wait for the last, and are answered after it.
    if (texts.length === 96) await new Promise<void>(resolve => waiting.push(resolve))
    else for (const resolve of waiting) setTimeout(resolve)
    open--
    if (failsWith && texts.includes(failsWith)) return answer.json({ message: 'invalid request: bad text' }, 400)
    const float = texts.map((text: string) => [Number(text)])
    return answer.json({ embeddings: { float }, texts, meta: { billed_units: { input_tokens: texts.length } } })
  })
  afterAll(() => listening.stop())
  return { url: `http://127.0.0.1:${listening.port}`, parts, most: () => most }
}

const numbers = Array.from({ length: 200 }, (_, at) => String(at))
const embed = () => ann.postTo('/v1/embeddings', { model: 'embed-long', input: numbers })

test('200 inputs go out in three parts side by side, keep their order and sum their usage', async () => {
  const { url, parts, most } = await embedder()
  await using _ = await channelFor('embed-long', url)
  const { data, usage } = await (await embed()).json()
  expect(parts.sort((a, b) => a - b)).toEqual([8, 96, 96])
  expect(most()).toBe(3)
  expect(data.map(({ index, embedding }: Json) => [index, ...embedding])).toEqual(numbers.map((_, at) => [at, at]))
  expect(usage).toMatchObject({ prompt_tokens: 200, total_tokens: 200 })
  const [{ quota }] = await logsOf(ann.person)
  expect(quota).toBe(200)
})

test('parts that are not sent when the client leaves are not sent, and the others are billed as reported', async () => {
  const pause = new Pause()
  let parts = 0
  const listening = await listen(async ({ body }, answer) => {
    parts++
    await pause.wait()
    const { texts } = JSON.parse(body)
    const float = texts.map(() => [1])
    return answer.json({ embeddings: { float }, meta: { billed_units: { input_tokens: texts.length } } })
  })
  afterAll(() => listening.stop())
  await using _ = await channelFor('embed-long', `http://127.0.0.1:${listening.port}`)
  const bea = await client()
  const leaving = new AbortController()
  const input = Array.from({ length: 1000 }, String)
  const call = bea.postTo('/v1/embeddings', { model: 'embed-long', input }, { signal: leaving.signal })
  await until(() => parts === 8)
  leaving.abort()
  await call.catch(() => undefined)
  await until(() => app.server!.pendingRequests === 0)
  pause.release()
  const [{ quota, other }] = await until(async () => {
    const entries = await logsOf(bea.person)
    return entries.length > 0 && entries
  })
  expect([quota, parts]).toEqual([8 * 96, 8])
  expect(other).toMatchObject({ partial: true })
})

test('parts of which one reports no usage are counted as a whole', async () => {
  const listening = await listen(({ body }, answer) => {
    const { texts } = JSON.parse(body)
    const meta = texts.length === 96 ? { billed_units: { input_tokens: 1 } } : undefined
    return answer.json({ embeddings: { float: texts.map(() => [1]) }, meta })
  })
  afterAll(() => listening.stop())
  await using _ = await channelFor('embed-long', `http://127.0.0.1:${listening.port}`)
  expect((await (await embed()).json()).data).toHaveLength(200)
  const [{ quota, other }] = await logsOf(ann.person)
  expect(other.counted_locally).toBe(true)
  expect(quota).toBeGreaterThanOrEqual(200)
})

test('one part that fails makes the call fail and bills nothing', async () => {
  const { url } = await embedder('150')
  await using _ = await channelFor('embed-long', url)
  const before = await ann.balance()
  const response = await embed()
  expect(response.status).toBe(400)
  expect((await response.json()).error.message).toContain('bad text')
  expect(await ann.balance()).toBe(before)
  expect(await logsOf(ann.person)).toEqual([])
})

const chat = (fields: Json) => ann.post({ model: CHAT, messages: [{ role: 'user', content: 'hi' }], ...fields })
const pdf = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } }
const sound = { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }

test.each([
  ['a PDF', { messages: [{ role: 'user', content: [pdf] }] }, 'only documents of plain text'],
  ['audio', { messages: [{ role: 'user', content: [sound] }] }, 'does not accept audio'],
  ['two choices', { n: 2 }, 'one choice per request'],
])('%s is refused with its reason', async (_, fields, reason) => {
  await using __ = await channelFor(CHAT)
  expectsOf('chat')
  const response = await chat(fields)
  expect(response.status).toBe(400)
  expect((await response.json()).error.message).toContain(reason)
  expect(await logsOf(ann.person)).toEqual([])
})

test('a schema of a list and the sixth stop sequence are kept without the API', async () => {
  await using _ = await channelFor(CHAT)
  const answer = { content: [{ type: 'text', text: '[1] six [2]' }] }
  const body = { id: 'a', finish_reason: 'COMPLETE', message: { role: 'assistant', ...answer } }
  upstream.expects(server.channel, { body })
  const schema = { type: 'array', items: { type: 'integer' } }
  const stop = ['one', 'two', 'three', 'four', 'five', ' six']
  const response = await chat({ stop, response_format: { type: 'json_schema', json_schema: { name: 'l', schema } } })
  expect((await response.json()).choices[0]).toMatchObject({ message: { content: '[1]' }, finish_reason: 'stop' })
  expect(upstream.violations()).toEqual([])
  const { stop_sequences, response_format, messages } = JSON.parse(upstream.received().body)
  expect([stop_sequences, response_format]).toEqual([stop.slice(0, 5), undefined])
  expect(messages[0]).toMatchObject({ role: 'system', content: expect.stringContaining(JSON.stringify(schema)) })
})
