// @engine sqlite
/** The doors of Anthropic's, Google's and OpenAI's other clients: who is let in, what is refused, what is only counted. */
import { expect, test } from 'bun:test'
import type { Json } from '../formats/wire/sse.ts'
import { logsOf } from '../support/app/logs.ts'
import { client, MODEL, RICH } from '../support/people/client.ts'
import { anthropicOf, asGoogleAsks, googleOf } from '../support/people/sdk-clients.ts'
import { embeddings } from '../support/upstream/endpoint-scripts.ts'
import { listen } from '../support/upstream/http-server.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'
import { asked, serverOf, serves } from '../support/upstream/translation.ts'

const ann = await client()
await serves('openai-chat')
serverOf('openai-chat').plays('text')

const message = { model: MODEL, max_tokens: 10, messages: [{ role: 'user' as const, content: 'How many tokens?' }] }
const contents = [{ role: 'user', parts: [{ text: 'How many tokens?' }] }]

test('a prompt is counted here: nobody is asked, nothing is paid', async () => {
  const { input_tokens } = await anthropicOf(ann).messages.countTokens({ model: MODEL, messages: message.messages })
  const { totalTokens } = await googleOf(ann).models.countTokens({ model: MODEL, contents })
  expect(input_tokens).toBeWithin(5, 20)
  expect(totalTokens).toBe(input_tokens)
  expect(serverOf('openai-chat').asked).toEqual([])
  expect(await ann.balance()).toBe(RICH)
  expect(await logsOf(ann.person)).toEqual([])
  const wrong = await ann.postTo('/v1/messages/count_tokens', { model: MODEL })
  expect(await wrong.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
})

test('Google’s keys come in its header or in the address, under every version and the other host’s prefix', async () => {
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

test('the model, and whether to stream, are those of the address, whatever the body says', async () => {
  serverOf('openai-chat').plays('text')
  const body = { model: 'gpt-4o-mini', stream: true, contents }
  const answer = await ann.postTo(`/v1beta/models/${MODEL}:generateContent`, body)
  expect(await answer.json()).toMatchObject({ candidates: [{}] })
  expect((await logsOf(ann.person))[0]).toMatchObject({ model_name: MODEL, is_stream: false })
})

test('names with slashes in them are names', async () => {
  const named = (model: string) => ann.postTo(`/v1beta/models/${model}:generateContent`, { contents })
  expect(await (await named('org/some:model')).json()).toMatchObject({
    error: { message: expect.stringContaining('org/some:model') },
  })
  expect(await (await named('org%2Fmodel')).json()).toMatchObject({
    error: { message: expect.stringContaining('org/model') },
  })
})

test('a name with a colon is no deed: whoever asks for such a model is told in OpenAI’s words', async () => {
  const unknown = await ann.get('/v1/models/llama3:latest')
  expect(await unknown.json()).toMatchObject({ error: { code: 'model_unknown', param: 'model' } })
  const deed = await ann.postTo('/v1/models/org/model:generateContent', { contents })
  expect(await deed.json()).toMatchObject({ error: { code: 503, status: 'UNAVAILABLE' } })
})

test('so does the other host’s prefix for messages and responses', async () => {
  expect((await ann.postTo('/hf/v1/messages', message)).status).toBe(200)
  expect((await ann.postTo('/hf/v1/responses', { model: MODEL, input: 'Hi' })).status).toBe(200)
  expect(asked('openai-chat').body.messages).toEqual([{ role: 'user', content: 'Hi' }])
})

const google = (deed: string) => `/v1beta/models/${MODEL}:${deed}`

const wrongs: [path: string, body: Json | string, status: number, error: Json][] = [
  ['/v1/messages', { ...message, messages: [] }, 400, { type: 'invalid_request_error' }],
  ['/v1/messages', { ...message, max_tokens: 'many' }, 400, { type: 'invalid_request_error' }],
  ['/v1/messages', '{', 400, { type: 'invalid_request_error' }],
  ['/v1/messages', { ...message, model: 'unheard-of' }, 503, { type: 'overloaded_error' }],
  ['/v1/responses', { model: MODEL, input: 'Hi', stream: 'yes' }, 400, { code: 'field_wrong', param: 'stream' }],
  ['/v1/responses', { input: 'Hi' }, 400, { code: 'model_required' }],
  ['/v1/responses', { model: MODEL, input: 'Hi', background: true }, 400, { param: 'background' }],
  [google('generateContent'), {}, 400, { status: 'INVALID_ARGUMENT', code: 400 }],
  [
    google('generateContent'),
    { contents, generationConfig: { maxOutputTokens: -1 } },
    400,
    { status: 'INVALID_ARGUMENT' },
  ],
  [google('somethingElse'), { contents }, 404, { status: 'NOT_FOUND' }],
  [google('predict'), { contents }, 404, { status: 'NOT_FOUND' }],
]

test.each(wrongs)('%s refuses %j with %d', async (path, body, status, error) => {
  const response = await ann.postTo(path, body)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error })
})

test('a wrong method, in the words of the address', async () => {
  expect((await ann.get('/v1/messages')).status).toBe(405)
  expect(await (await ann.get('/v1/messages')).json()).toMatchObject({ type: 'error' })
  expect(await (await ann.get(google('generateContent'))).json()).toMatchObject({ error: { status: 'NOT_FOUND' } })
})

test('what its own client asks, Google’s door understands in both spellings', async () => {
  const snake = {
    contents,
    generation_config: { max_output_tokens: 7 },
    system_instruction: { parts: [{ text: 'Hm.' }] },
  }
  await ann.postTo(google('generateContent'), snake)
  expect(asked('openai-chat').body).toMatchObject({ max_tokens: 7, messages: [{ role: 'system', content: 'Hm.' }, {}] })
  await googleOf(ann).models.generateContent(
    asGoogleAsks({ model: MODEL, contents, generationConfig: { maxOutputTokens: 8 } }),
  )
  expect(asked('openai-chat').body).toMatchObject({ max_tokens: 8 })
})

test('Google’s vectors, one and many, from whoever makes them', async () => {
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

test('what Google’s vectors are for, Google is told, and no one else', async () => {
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
