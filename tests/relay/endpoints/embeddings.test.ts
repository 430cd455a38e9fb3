/** Embeddings of texts and tokens, as numbers and base64, billed by the input. */
import { afterAll, expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { client, RICH } from '../../support/people/client.ts'
import { openAiOf } from '../../support/people/openai-client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { embeddings, says } from '../../support/upstream/endpoint-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const MODEL = 'text-embedding-3-large'
const RATIO = 0.065
const quota = (tokens: number) => Math.max(1, Math.round(tokens * RATIO))

const upstream = await startUpstream(embeddings({ prompt_tokens: 1000, total_tokens: 1000 }), MODEL)
await channelTo(upstream, { models: MODEL })
afterAll(() => expect(upstream.violations).toEqual([]))

test("OpenAI's client gets base64 embeddings unchanged", async () => {
  const ann = await client()
  const answer = await openAiOf(ann).embeddings.create({ model: MODEL, input: ['one', 'two'], dimensions: 3 })
  expect(answer.data.map(item => [...item.embedding])).toEqual([
    [0.25, -0.5, 1],
    [0.25, -0.5, 1],
  ])
  expect(upstream.journal.at(-1)).toMatchObject({
    path: '/v1/embeddings',
    body: { model: MODEL, input: ['one', 'two'], dimensions: 3, encoding_format: 'base64' },
  })
  expect(await ann.balance()).toBe(RICH - quota(1000))
  const [entry] = await logsOf(ann.person)
  expect(entry).toMatchObject({ model_name: MODEL, prompt_tokens: 1000, completion_tokens: 0, is_stream: false })
})

test('unknown fields pass unchanged, and numbers stay numbers', async () => {
  const ann = await client()
  const body = { model: MODEL, input: 'one', encoding_format: 'float', task: 'retrieval', normalized: false }
  const answer = (await (await ann.postTo('/v1/embeddings', body)).json()) as any
  expect(answer.data[0].embedding).toEqual([0.25, -0.5, 1])
  expect(upstream.journal.at(-1)!.body).toEqual(body)
})

test('the path may name the model', async () => {
  const ann = await client()
  for (const prefix of ['/v1', '/hf/v1']) {
    const response = await ann.postTo(`${prefix}/engines/${MODEL}/embeddings`, { model: 'gpt-4o', input: 'one' })
    expect(response.status).toBe(200)
    expect(upstream.journal.at(-1)!.body).toEqual({ model: MODEL, input: 'one' })
    expect((await logsOf(ann.person))[0].model_name).toBe(MODEL)
  }
})

/** Without a report tokens are counted here: given ones by the piece. */
const inputs: [string, unknown, number][] = [
  ['a text', 'one two three', 3],
  ['texts', ['one two', 'three'], 3],
  ['tokens', [11, 22, 33, 44], 4],
  [
    'lists of tokens',
    [
      [11, 22],
      [33, 44, 55],
    ],
    5,
  ],
]

test.each(inputs)('%s without a usage report is counted locally', async (_, input, tokens) => {
  await setOption('PreConsumedQuota', 0)
  upstream.scripts(MODEL, embeddings(null))
  const ann = await client()
  expect((await ann.postTo('/v1/embeddings', { model: MODEL, input })).status).toBe(200)
  expect((await logsOf(ann.person))[0]).toMatchObject({ prompt_tokens: tokens, other: { counted_locally: true } })
  await setOption('PreConsumedQuota', 500)
})

test('an empty response without usage is free', async () => {
  upstream.scripts(MODEL, says({ object: 'list', data: [], model: MODEL }))
  const ann = await client()
  expect((await ann.postTo('/v1/embeddings', { model: MODEL, input: 'one' })).status).toBe(200)
  expect(await ann.balance()).toBe(RICH)
})

const wrong: [string, Record<string, unknown>, string][] = [
  ['no input', {}, 'input'],
  ['an empty input', { input: '' }, 'input'],
  ['an empty list', { input: [] }, 'input'],
  ['a number', { input: 3 }, 'input'],
  ['dimensions below one', { input: 'one', dimensions: -100 }, 'dimensions'],
  ['dimensions that are none', { input: 'one', dimensions: '3' }, 'dimensions'],
  ['no model', { input: 'one', model: '' }, 'model'],
]

test.each(wrong)('%s is refused and costs nothing', async (_, fields, param) => {
  const ann = await client()
  const before = upstream.journal.length
  const answer = await errorOf(await ann.postTo('/v1/embeddings', { model: MODEL, ...fields }))
  expect(answer).toMatchObject({ status: 400, param })
  expect(upstream.journal).toHaveLength(before)
  expect(await ann.balance()).toBe(RICH)
})

test('channels without embeddings are not asked', async () => {
  upstream.scripts('shared', embeddings())
  await channelTo(upstream, { type: 14, models: 'shared,claude-x', priority: 9 })
  await channelTo(upstream, { models: 'shared' })
  await setOption('ModelRatio', JSON.stringify({ [MODEL]: RATIO, shared: 1, 'claude-x': 1 }))
  const ann = await client()
  expect((await ann.postTo('/v1/embeddings', { model: 'shared', input: 'one' })).status).toBe(200)
  expect((await logsOf(ann.person))[0].other.admin_info.attempts).toHaveLength(1)
  const answer = await errorOf(await ann.postTo('/v1/embeddings', { model: 'claude-x', input: 'one' }))
  expect(answer).toMatchObject({ status: 503, code: 'channel_unfit' })
})

test('a user without quota is refused', async () => {
  const ann = await client({}, 10)
  const answer = await errorOf(await ann.postTo('/v1/embeddings', { model: MODEL, input: 'word '.repeat(2000) }))
  expect(answer).toMatchObject({ status: 403, code: 'insufficient_user_quota' })
})
