/** The model list in the format of each client, with the caller's prices. */
import { expect, test } from 'bun:test'
import { setOption } from '../../support/app/options.ts'
import { client } from '../../support/people/client.ts'
import { openAiOf } from '../../support/people/openai-client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream()
await channelTo(upstream, { models: 'gpt-4o,dall-e-3,claude-x,nobody-priced-this' })
await setOption('ModelRatio', JSON.stringify({ 'gpt-4o': 1.25, 'claude-x': 1.5 }))
await setOption('ModelPrice', JSON.stringify({ 'dall-e-3': 0.04 }))
const ann = await client()

const bodyOf = async (path: string, headers: Record<string, string> = {}) =>
  (await (await ann.get(path, headers)).json()) as any
const keyless = { authorization: '' }

test("OpenAI's format shows prices per token or per call", async () => {
  for (const prefix of ['/v1', '/hf/v1']) {
    const { object, data } = await bodyOf(`${prefix}/models`)
    expect(object).toBe('list')
    expect(data.map((model: { id: string }) => model.id)).toEqual(['claude-x', 'dall-e-3', 'gpt-4o'])
    expect(data[1]).toMatchObject({ object: 'model', pricing: { request: '0.04' } })
    expect(data[2].pricing).toEqual({
      prompt: '0.0000025',
      completion: '0.00001',
      input_cache_read: '0.00000125',
      input_cache_write: '0.000003125',
    })
  }
  const listed = await Array.fromAsync(await openAiOf(ann).models.list())
  expect(listed).toHaveLength(3)
  expect(await bodyOf('/v1/models/gpt-4o')).toMatchObject({ id: 'gpt-4o', object: 'model' })
})

test("Anthropic's clients get Anthropic's format", async () => {
  const headers = { ...keyless, 'x-api-key': `sk-${ann.key}`, 'anthropic-version': '2023-06-01' }
  expect(await bodyOf('/v1/models', headers)).toMatchObject({
    data: [{ type: 'model', id: 'claude-x', display_name: 'claude-x' }, { id: 'dall-e-3' }, { id: 'gpt-4o' }],
    first_id: 'claude-x',
    last_id: 'gpt-4o',
    has_more: false,
  })
  const { created_at } = await bodyOf('/v1/models/claude-x', headers)
  expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)
})

test("Gemini's clients get Gemini's format, with the key in header or query", async () => {
  const names = ['models/claude-x', 'models/dall-e-3', 'models/gpt-4o']
  const ways: [string, Record<string, string>][] = [
    [`/v1beta/models?key=sk-${ann.key}`, keyless],
    ['/v1beta/models', { ...keyless, 'x-goog-api-key': ann.key }],
  ]
  for (const [path, headers] of ways) {
    const { models } = await bodyOf(path, headers)
    expect(models.map((model: { name: string }) => model.name)).toEqual(names)
    expect(models[0].supportedGenerationMethods).toContain('generateContent')
  }
  expect(await bodyOf('/v1beta/models/gpt-4o')).toMatchObject({ name: 'models/gpt-4o' })
})

test('prices are those of the group', async () => {
  await setOption('GroupRatio', JSON.stringify({ default: 0.5 }))
  expect((await bodyOf('/v1/models/dall-e-3')).pricing).toEqual({ request: '0.02' })
  await setOption('GroupRatio', JSON.stringify({ default: 1 }))
})

test("a key in the query counts only at Gemini's paths", async () => {
  expect(await errorOf(await ann.get(`/v1/models?key=sk-${ann.key}`, keyless))).toMatchObject({ status: 401 })
})

test('a key limited to some models lists no others', async () => {
  const bob = await client({ model_limits_enabled: true, model_limits: 'gpt-4o' })
  expect(await (await bob.get('/v1/models')).json()).toMatchObject({ data: [{ id: 'gpt-4o' }] })
  expect(await errorOf(await bob.get('/v1/models/claude-x'))).toMatchObject({ status: 404, code: 'model_not_found' })
})
