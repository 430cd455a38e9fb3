// @engine sqlite
/** The paths of Anthropic, Gemini and OpenAI Responses: keys, errors, counting, embeddings. */
import { expect, test } from 'bun:test'
import type { Json } from '../../formats/wire/sse.ts'
import { logsOf } from '../../support/app/logs.ts'
import { client, MODEL, RICH } from '../../support/people/client.ts'
import { anthropicOf, asGoogleAsks, googleOf } from '../../support/people/sdk-clients.ts'
import { embeddings } from '../../support/upstream/endpoint-scripts.ts'
import { listen } from '../../support/upstream/http-server.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'
import { channelFor, lastRequest, serverOf } from '../../support/upstream/translation.ts'

const ann = await client()
await channelFor('openai-chat')
serverOf('openai-chat').plays('text')

const message = { model: MODEL, max_tokens: 10, messages: [{ role: 'user' as const, content: 'How many tokens?' }] }
const contents = [{ role: 'user', parts: [{ text: 'How many tokens?' }] }]

test('counting tokens asks no upstream and costs nothing', async () => {
  const { input_tokens } = await anthropicOf(ann).messages.countTokens({ model: MODEL, messages: message.messages })
  const { totalTokens } = await googleOf(ann).models.countTokens({ model: MODEL, contents })
  expect(input_tokens).toBeWithin(5, 20)
  // A list of parts is one object more.
  expect(totalTokens).toBe(input_tokens + 3)
  expect(serverOf('openai-chat').asked).toEqual([])
  expect(await ann.balance()).toBe(RICH)
  expect(await logsOf(ann.person)).toEqual([])
  const wrong = await ann.postTo('/v1/messages/count_tokens', { model: MODEL })
  expect(await wrong.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
})

test('Gemini keys are accepted in header and query, under every version and /hf', async () => {
  const at = (path: string, headers: Record<string, string> = {}) =>
    fetch(ann.url + path, { method: 'POST', headers, body: JSON.stringify({ contents }) })
  const deed = `models/${MODEL}:generateContent`
  const key = `sk-${ann.key}`
  expect((await at(`/v1beta/${deed}?key=${key}`)).status).toBe(200)
  expect((await at(`/v1/${deed}?key=${key}`)).status).toBe(200)
  expect((await at(`/hf/v1/${deed}`, { 'x-goog-api-key': key })).status).toBe(200)
  expect((await at(`/v1beta/${deed}`)).status).toBe(401)
  expect((await at(`/v1beta/${deed}?key=sk-${'x'.repeat(48)}`)).status).toBe(401)
  // Elsewhere an address, which anybody may write down, opens nothing.
  expect((await at(`/v1/chat/completions?key=${key}`)).status).toBe(401)
})

test('model and stream of the path override the body', async () => {
  serverOf('openai-chat').plays('text')
  const body = { model: 'gpt-4o-mini', stream: true, contents }
  const answer = await ann.postTo(`/v1beta/models/${MODEL}:generateContent`, body)
  expect(await answer.json()).toMatchObject({ candidates: [{}] })
  expect((await logsOf(ann.person))[0]).toMatchObject({ model_name: MODEL, is_stream: false })
})

test('model names may hold slashes', async () => {
  const named = (model: string) => ann.postTo(`/v1beta/models/${model}:generateContent`, { contents })
  expect(await (await named('org/some:model')).json()).toMatchObject({
    error: { message: expect.stringContaining('org/some:model') },
  })
  expect(await (await named('org%2Fmodel')).json()).toMatchObject({
    error: { message: expect.stringContaining('org/model') },
  })
})

test("a colon in a model name is no verb, and OpenAI's error format is used", async () => {
  const unknown = await ann.get('/v1/models/llama3:latest')
  expect(await unknown.json()).toMatchObject({ error: { code: 'model_not_found', param: 'model' } })
  const deed = await ann.postTo('/v1/models/org/model:generateContent', { contents })
  expect(await deed.json()).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } })
})

test('messages and responses are served under /hf', async () => {
  expect((await ann.postTo('/hf/v1/messages', message)).status).toBe(200)
  expect((await ann.postTo('/hf/v1/responses', { model: MODEL, input: 'Hi' })).status).toBe(200)
  expect(lastRequest('openai-chat').body.messages).toEqual([{ role: 'user', content: 'Hi' }])
})

const google = (deed: string) => `/v1beta/models/${MODEL}:${deed}`

const wrongs: [path: string, body: Json | string, status: number, error: Json][] = [
  ['/v1/messages', { ...message, messages: [] }, 400, { type: 'invalid_request_error' }],
  ['/v1/messages', { ...message, max_tokens: 'many' }, 400, { type: 'invalid_request_error' }],
  ['/v1/messages', '{', 400, { type: 'invalid_request_error' }],
  ['/v1/messages', { ...message, model: 'unheard-of' }, 404, { type: 'not_found_error' }],
  ['/v1/responses', { model: MODEL, input: 'Hi', stream: 'yes' }, 400, { code: 'field_wrong', param: 'stream' }],
  ['/v1/responses', { input: 'Hi' }, 400, { code: 'model_required' }],
  ['/v1/responses', { model: MODEL, input: 'Hi', background: true, store: false }, 400, { param: 'background' }],
  [google('generateContent'), {}, 400, { status: 'INVALID_ARGUMENT', code: 400 }],
  [
    google('generateContent'),
    { contents, generationConfig: { maxOutputTokens: -1 } },
    400,
    { status: 'INVALID_ARGUMENT' },
  ],
  [google('somethingElse'), { contents }, 404, { status: 'NOT_FOUND' }],
  [google('predict'), { contents }, 404, { status: 'NOT_FOUND' }],
  ['/v1beta/models/generateContent', { contents }, 404, { status: 'NOT_FOUND' }],
]

test.each(wrongs)('%s refuses %j with %d', async (path, body, status, error) => {
  const response = await ann.postTo(path, body)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error })
})

test('a wrong method answers in the error format of the path', async () => {
  expect((await ann.get('/v1/messages')).status).toBe(405)
  expect(await (await ann.get('/v1/messages')).json()).toMatchObject({ type: 'error' })
  expect(await (await ann.get(google('generateContent'))).json()).toMatchObject({ error: { status: 'NOT_FOUND' } })
})

test('Gemini requests are read in camelCase and snake_case', async () => {
  const snake = {
    contents,
    generation_config: { max_output_tokens: 7 },
    system_instruction: { parts: [{ text: 'Hm.' }] },
  }
  await ann.postTo(google('generateContent'), snake)
  expect(lastRequest('openai-chat').body).toMatchObject({
    max_tokens: 7,
    messages: [{ role: 'system', content: 'Hm.' }, {}],
  })
  await googleOf(ann).models.generateContent(
    asGoogleAsks({ model: MODEL, contents, generationConfig: { maxOutputTokens: 8 } }),
  )
  expect(lastRequest('openai-chat').body).toMatchObject({ max_tokens: 8 })
})

test('Gemini embeddings are served by any channel, single and batched', async () => {
  const model = 'text-embedding-3-small'
  const upstream = await startUpstream(embeddings(), model)
  await channelTo(upstream, { models: model })
  const { models } = googleOf(ann)
  const values = [0.25, -0.5, 1]
  const { embeddings: many } = await models.embedContent({ model, contents: ['one', 'two'] })
  expect(many).toEqual([{ values }, { values }])
  expect(upstream.journal.at(-1)!.body).toEqual({ model, input: ['one', 'two'] })
  const one = { content: { parts: [{ text: 'one' }] }, output_dimensionality: 3 }
  const answer = await ann.postTo(`/v1beta/models/${model}:embedContent`, one)
  expect(await answer.json()).toEqual({ embedding: { values } })
  expect(upstream.journal.at(-1)!.body).toEqual({ model, input: ['one'], dimensions: 3 })
  expect((await logsOf(ann.person))[0]).toMatchObject({ model_name: model, prompt_tokens: 8 })
  expect((await ann.postTo(`/v1beta/models/${model}:embedContent`, {})).status).toBe(400)
})

test("Gemini's task types reach Gemini upstreams only", async () => {
  const model = 'gemini-embedding-001'
  const embedding = { values: [0.25, -0.5, 1] }
  const said: Json[] = []
  const google = await listen(async ({ body }, answer) => {
    said.push(JSON.parse(body))
    await answer.json({ embeddings: [embedding, embedding] })
  })
  await channelTo(`http://127.0.0.1:${google.port}`, { type: 24, models: model })
  const config = { taskType: 'RETRIEVAL_DOCUMENT', title: 'Numbers', outputDimensionality: 3 }
  const answer = await googleOf(ann).models.embedContent({ model, contents: ['one', 'two'], config })
  expect(answer.embeddings).toEqual([embedding, embedding])
  const wished = (text: string) => ({ ...config, model: `models/${model}`, content: { parts: [{ text }] } })
  expect(said).toEqual([{ requests: [wished('one'), wished('two')] }])
  const [first, second] = [{ task_type: 'CLUSTERING' }, { task_type: 'RETRIEVAL_QUERY' }]
  const content = { parts: [{ text: 'one' }] }
  const requests = [first, second].map(wish => ({ ...wish, content }))
  await ann.postTo(`/v1beta/models/${model}:batchEmbedContents`, { requests })
  expect(said[1]!.requests).toMatchObject([first, second])
  await google.stop()
})
