// @engine sqlite
/** Vertex AI: its addresses, embeddings of one text a request, and what calls cost. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { resetStores } from '../../src/process/stores.ts'
import { providerOf } from '../../src/providers/index.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { setEnv } from '../support/env.ts'
import { type Client, client } from '../support/people/client.ts'
import { anthropicOf } from '../support/people/sdk-clients.ts'
import { serviceAccount } from '../support/upstream/google-account.ts'
import { answerTo, GoogleCloud } from '../support/upstream/google-cloud.ts'
import { requestFor } from '../support/upstream/request.ts'
import { deleteChannels } from '../support/upstream/served-channel.ts'
import { CLAUDE, EMBEDDING, GEMINI, priceVertexModels, vertexChannel } from '../support/upstream/vertex-channel.ts'

const cloud = new GoogleCloud()
let ann: Client

beforeAll(async () => {
  await priceVertexModels()
  await setOption('LogErrorEnabled', true)
})

beforeEach(async () => {
  cloud.reset()
  resetStores('channel tokens', 'circuits')
  await deleteChannels()
  await setOption('RetryTimes', 0)
  await setOption('AutomaticDisableChannelEnabled', true)
  ann = await client()
})

afterEach(() => expect(cloud.violations).toEqual([]))

const ask = (fields: object = {}) => ann.chat({ model: GEMINI, ...fields })

describe('addresses', () => {
  const key = serviceAccount('https://oauth2.googleapis.com')
  const P = 'v1/projects/test-project/locations'
  const body = { messages: [{ role: 'user', content: 'hi' }], contents: [] }
  const urlOf = (model: string, other: string, fields: object = {}) =>
    requestFor({ type: 41, base_url: '', key, token: 't', other, ...fields }, 'chat', model, { model, ...body })?.url

  const google = (host: string, region: string) =>
    `https://${host}/${P}/${region}/publishers/google/models/${GEMINI}:generateContent`
  test.each([
    ['us-central1', google('us-central1-aiplatform.googleapis.com', 'us-central1')],
    ['', google('us-central1-aiplatform.googleapis.com', 'us-central1')],
    ['global', google('aiplatform.googleapis.com', 'global')],
    ['us', google('aiplatform.us.rep.googleapis.com', 'us')],
    ['eu', google('aiplatform.eu.rep.googleapis.com', 'eu')],
    [
      `{"${GEMINI}":"europe-west4","default":"global"}`,
      google('europe-west4-aiplatform.googleapis.com', 'europe-west4'),
    ],
    ['{"constructor":"eu","default":"global"}', google('aiplatform.googleapis.com', 'global')],
  ])('region %p has a host of its own', (other, url) => {
    expect(urlOf(GEMINI, other)).toBe(url)
  })

  const claude = (id: string) =>
    `https://aiplatform.googleapis.com/${P}/global/publishers/anthropic/models/${id}:rawPredict`
  test.each([
    ['claude-3-haiku-20240307', 'claude-3-haiku@20240307'],
    ['claude-3-5-sonnet-20240620', 'claude-3-5-sonnet@20240620'],
    ['claude-3-5-sonnet-20241022', 'claude-3-5-sonnet-v2@20241022'],
    ['claude-3-7-sonnet-20250219', 'claude-3-7-sonnet@20250219'],
    ['claude-opus-4-1-20250805', 'claude-opus-4-1@20250805'],
    ['claude-haiku-4-5', 'claude-haiku-4-5@20251001'],
    ['claude-opus-4-6', 'claude-opus-4-6'],
    ['claude-sonnet-5', 'claude-sonnet-5'],
    ['claude-sonnet-4@20250514', 'claude-sonnet-4@20250514'],
    ['anthropic/claude-opus-4-6', 'claude-opus-4-6'],
  ])('%s is called %s', (model, id) => {
    expect(urlOf(model, 'global')).toBe(claude(id))
  })

  const open =
    'https://aiplatform.googleapis.com/v1beta1/projects/test-project/locations/global/endpoints/openapi/chat/completions'
  test.each([
    ['meta/llama-3.3-70b-instruct-maas', open],
    ['llama-4-scout-17b-16e-instruct-maas', open],
    ['qwen3-coder-480b-a35b-instruct-maas', open],
    [
      'mistral-medium-3',
      `https://aiplatform.googleapis.com/${P}/global/publishers/mistralai/models/mistral-medium-3:rawPredict`,
    ],
  ])('%s is served at the address of its publisher', (model, url) => {
    expect(urlOf(model, 'global')).toBe(url)
  })

  test('a key of express mode has neither project nor region, and serves Google’s models alone', () => {
    const express = { key: 'AQ.Ab8-key_1' }
    const url = `https://aiplatform.googleapis.com/v1/publishers/google/models/${GEMINI}:generateContent`
    expect(urlOf(GEMINI, 'europe-west4', express)).toBe(url)
    expect(urlOf(CLAUDE, 'europe-west4', express)).toBeUndefined()
  })

  test('the models of Anthropic and Gemini are offered', () => {
    const offered = new Set(providerOf(41)!.models)
    for (const type of [14, 24]) expect(providerOf(type)!.models.filter(model => !offered.has(model))).toEqual([])
  })
})

describe('embeddings of one text a request', () => {
  const embed = (input: string[]) => ann.postTo('/v1/embeddings', { model: EMBEDDING, input })
  const texts = Array.from({ length: 40 }, (_, index) => 'x'.repeat(index + 1))

  test('texts are sent side by side and return in their order', async () => {
    await vertexChannel(cloud)
    cloud.answer = async () => void (await Bun.sleep(2))
    const { data, usage } = (await (await embed(texts)).json()) as any
    expect(data.map((item: any) => [item.index, item.embedding])).toEqual(
      texts.map((text, index) => [index, [text.length]]),
    )
    expect(usage).toMatchObject({ prompt_tokens: 40 })
    expect(cloud.bodies.every(({ instances }) => instances.length === 1)).toBe(true)
    expect(cloud.peak).toBeGreaterThan(1)
    expect(cloud.peak).toBeLessThanOrEqual(8)
  })

  test('one text that fails fails the call, which costs nothing', async () => {
    await setOption('RetryTimes', 0)
    await vertexChannel(cloud)
    const refusal = { error: { code: 400, message: 'too long', status: 'INVALID_ARGUMENT' } }
    cloud.answer = (_, { instances }) =>
      instances[0].content.length === 7 ? Response.json(refusal, { status: 400 }) : undefined
    const before = await ann.balance()
    expect((await embed(texts)).status).toBe(400)
    expect(await ann.balance()).toBe(before)
  })

  test('every text of a Google client keeps its own fields', async () => {
    await vertexChannel(cloud)
    const requests = [
      { model: `models/${EMBEDDING}`, content: { parts: [{ text: 'a' }] }, taskType: 'RETRIEVAL_QUERY' },
      { model: `models/${EMBEDDING}`, content: { parts: [{ text: 'bb' }] }, taskType: 'CLUSTERING' },
    ]
    const response = await ann.postTo(`/v1beta/models/${EMBEDDING}:batchEmbedContents`, { requests })
    expect(await response.json()).toEqual({ embeddings: [{ values: [1] }, { values: [2] }] })
    const sent = Object.fromEntries(cloud.bodies.map(({ instances: [one] }) => [one.content, one.task_type]))
    expect(sent).toEqual({ a: 'RETRIEVAL_QUERY', bb: 'CLUSTERING' })
  })
})

test('Claude receives pictures and documents inline, which a message names by URL', async () => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  const types: Record<string, string> = { '/a.png': 'image/png', '/a.pdf': 'application/pdf' }
  const files = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => new Response('bytes', { headers: { 'content-type': types[new URL(url).pathname]! } }),
  })
  await vertexChannel(cloud)
  const source = (path: string) => ({ type: 'url', url: `http://127.0.0.1:${files.port}${path}` })
  const parts = [
    { type: 'image', source: source('/a.png') },
    { type: 'document', source: source('/a.pdf'), title: 'A' },
  ]
  const body = { model: CLAUDE, max_tokens: 10, messages: [{ role: 'user', content: parts }] }
  expect((await ann.postTo('/v1/messages', body)).status).toBe(200)
  files.stop(true)
  const data = Buffer.from('bytes').toString('base64')
  expect(cloud.bodies[0]!.messages[0].content).toEqual([
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data }, title: 'A' },
  ])
})

describe('prices', () => {
  const own = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async request => answerTo(new URL(request.url).pathname, (await request.json()) as object),
  })
  afterAll(() => own.stop(true))

  test.each([
    [CLAUDE, 14, false],
    [CLAUDE, 14, true],
    [GEMINI, 24, false],
    [GEMINI, 24, true],
  ])('%s costs the same over Vertex AI as over type %d; streamed: %p', async (model, type, stream) => {
    const bills = []
    for (const fields of [{}, { type, base_url: `http://127.0.0.1:${own.port}`, key: 'k-own', other: '' }]) {
      await deleteChannels()
      await vertexChannel(cloud, fields)
      const response = await ask({ model, stream })
      expect(response.status).toBe(200)
      await response.text()
      const [{ quota, prompt_tokens, completion_tokens, other }] = await logsOf(ann.person)
      bills.push({ quota, prompt_tokens, completion_tokens, lines: other.lines })
    }
    expect(bills[0]!.quota).toBeGreaterThan(0)
    expect(bills[0]).toEqual(bills[1]!)
  })
})

test('the version of Anthropic’s own client stands in the body, and betas that Vertex AI may know in a header', async () => {
  await vertexChannel(cloud)
  const request = { model: CLAUDE, max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hi' }] }
  // Claude Code 2.1.330 sends these to an address of its own choice.
  const betas =
    'claude-code-20250219,interleaved-thinking-2025-05-14,per-turn-control-2026-07-01,advanced-tool-use-2025-11-20,effort-2025-11-24,thinking-token-count-2026-05-13'
  const headers = { 'anthropic-beta': betas }
  expect((await anthropicOf(ann).messages.create(request, { headers })).content).toMatchObject([{ text: 'Hello' }])
  expect(cloud.bodies[0]).toMatchObject({ anthropic_version: '2026-10-21' })
  expect(cloud.heads[0]).toMatchObject({
    'anthropic-beta': 'interleaved-thinking-2025-05-14,tool-search-tool-2025-10-19,effort-2025-11-24',
  })
  expect(cloud.heads[0]).not.toHaveProperty('anthropic-version')
})

test('the first version of Anthropic’s API is the cloud’s own', async () => {
  await vertexChannel(cloud)
  const request = { model: CLAUDE, max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hi' }] }
  await anthropicOf(ann).messages.create(request, { headers: { 'anthropic-version': '2023-06-01' } })
  expect(cloud.bodies[0]).toMatchObject({ anthropic_version: 'vertex-2023-10-16' })
  expect(Object.keys(cloud.heads[0]!).filter(name => name.startsWith('anthropic'))).toEqual([])
})
