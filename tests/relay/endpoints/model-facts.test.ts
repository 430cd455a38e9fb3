// @engine sqlite
/** What the model list says of each model, in pages, to the SDKs of Anthropic and Google. */
import { expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { setOption } from '../../support/app/options.ts'
import { client } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const models = ['claude-opus-9', 'gemini-2.5-pro', 'gemini-embedding-001', 'gpt-9', 'imagen-4', 'mine', 'unheard']
const upstream = await startUpstream()
await channelTo(upstream, { models: models.join(), model_mapping: JSON.stringify({ mine: 'claude-haiku-4-5' }) })
await setOption('ModelRatio', JSON.stringify(Object.fromEntries(models.map(model => [model, 1]))))
const ann = await client()

type Json = Record<string, any>
const get = async (path: string, headers: Record<string, string> = {}) =>
  (await (await ann.get(path, headers)).json()) as Json
const version = { 'anthropic-version': '2023-06-01' }
const idsIn = ({ data }: Json) => data.map(({ id }: Json) => id)

test('a client that sends the key as Bearer and names Anthropic’s version gets Anthropic’s list, model and errors', async () => {
  expect(idsIn(await get('/v1/models', version))).toEqual(models)
  expect(await get('/v1/models/claude-opus-9', version)).toMatchObject({
    type: 'model',
    max_input_tokens: 1_000_000,
    max_tokens: 128_000,
    line: 'opus',
    lifecycle: 'active',
    capabilities: { effort: { xhigh: { supported: true } }, thinking: { types: { disabled: { supported: false } } } },
  })
  for (const path of ['/v1/models/missing', '/v1/fine-tunes', '/v1/nowhere']) {
    expect(await get(path, version)).toMatchObject({ type: 'error', error: { message: expect.any(String) } })
    expect(await get(path)).not.toHaveProperty('type')
  }
})

test('facts are those of the upstream’s model, and null for one that is not known', async () => {
  expect(await get('/v1/models/mine', version)).toMatchObject({ line: 'haiku', max_tokens: 64_000 })
  expect(await get('/v1/models/unheard', version)).toMatchObject({
    capabilities: null,
    max_input_tokens: null,
    max_tokens: null,
  })
})

test('Anthropic’s SDK reads every page, forwards and backwards', async () => {
  const fetchOf = (input: Request | string | URL, init?: RequestInit) => {
    const url = new URL(String(input instanceof Request ? input.url : input))
    return ann.get(url.pathname + url.search, Object.fromEntries(new Headers(init?.headers)))
  }
  const sdk = new Anthropic({ authToken: `sk-${ann.key}`, apiKey: null, baseURL: 'http://localhost', fetch: fetchOf })
  const ids = async (query: object) => (await Array.fromAsync(sdk.models.list(query))).map(({ id }) => id)
  expect(await ids({ limit: 2 })).toEqual(models)
  expect(await ids({ limit: 3, after_id: 'gpt-9' })).toEqual(models.slice(4))
  const backwards = await get('/v1/models?limit=2&before_id=gpt-9', version)
  expect([idsIn(backwards), backwards.has_more]).toEqual([models.slice(1, 3), true])
  expect((await get('/v1/models?limit=9&before_id=gpt-9', version)).has_more).toBe(false)
})

test.each([
  ['/v1/models?limit=0', 'limit'],
  ['/v1/models?limit=x', 'limit'],
  ['/v1/models?limit=1001', 'limit'],
  ['/v1/models?after_id=missing', 'after_id'],
])('a page that does not exist is refused: %p', async (path, field) => {
  const answer = await ann.get(path, version)
  const { error } = (await answer.json()) as Json
  expect([answer.status, error.type, error.message.includes(field)]).toEqual([400, 'invalid_request_error', true])
})

test('Gemini’s clients get limits and methods of each model, in pages', async () => {
  expect(await get('/v1beta/models/gemini-2.5-pro')).toMatchObject({
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    thinking: true,
    supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
  })
  expect(await get('/v1beta/models/gemini-embedding-001')).toMatchObject({
    inputTokenLimit: 2048,
    supportedGenerationMethods: expect.arrayContaining(['embedContent']),
  })
  expect((await get('/v1beta/models/imagen-4')).supportedGenerationMethods).toEqual(['predict'])
  expect(await get('/v1beta/models/unheard')).not.toContainAnyKeys(['inputTokenLimit', 'outputTokenLimit', 'thinking'])
  const names: string[] = []
  let token = ''
  do {
    const page = await get(`/v1beta/models?pageSize=3&pageToken=${token}`)
    names.push(...page.models.map(({ name }: Json) => name.replace('models/', '')))
    token = page.nextPageToken ?? ''
  } while (token)
  expect(names).toEqual(models)
  // A page larger than Google's largest is the largest.
  expect((await get('/v1beta/models?pageSize=5000')).models).toHaveLength(models.length)
  for (const size of ['-1', '1.5', 'x'])
    expect(await errorOf(await ann.get(`/v1beta/models?pageSize=${size}`))).toMatchObject({ status: 400 })
  expect(await errorOf(await ann.get('/v1beta/models?pageToken=missing'))).toMatchObject({ status: 400 })
})
