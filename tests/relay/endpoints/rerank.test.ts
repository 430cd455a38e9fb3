/** Rerank in the formats of Jina and Cohere. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { loadTokenTables } from '../../support/app/token-tables.ts'
import { client, RICH } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { says } from '../../support/upstream/endpoint-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const MODEL = 'jina-reranker-v2'
const results = [
  { index: 1, relevance_score: 0.9, document: { text: 'Oslo' } },
  { index: 0, relevance_score: 0.1, document: { text: 'Rome' } },
]
const upstream = await startUpstream(undefined, MODEL)
await channelTo(upstream, { models: `${MODEL},rerank-v3.5` })
beforeEach(() => loadTokenTables(MODEL))
await setOption('ModelRatio', JSON.stringify({ [MODEL]: 2 }))
await setOption('ModelPrice', JSON.stringify({ 'rerank-v3.5': 0.002 }))
afterAll(() => expect(upstream.violations).toEqual([]))

const body = { model: MODEL, query: 'capital of Norway', documents: ['Rome', { text: 'Oslo' }], top_n: 2 }

/** "Oslo" has two tokens; the query counts once for each document. */
const COUNTED = 3 * 2 + 1 + 2
const reports: [string, object, number][] = [
  ['Jina: usage', { model: MODEL, usage: { total_tokens: 100 } }, 100],
  ['both counts', { usage: { prompt_tokens: 90, total_tokens: 100 } }, 90],
  ['Cohere: tokens', { id: 'r', meta: { tokens: { input_tokens: 70, output_tokens: 0 } } }, 70],
  ['Cohere: units', { id: 'r', meta: { billed_units: { search_units: 1 } } }, COUNTED],
  ['none', {}, COUNTED],
]

test.each(reports)('the usage report is billed: %s', async (_, report, tokens) => {
  upstream.scripts(MODEL, says({ ...report, results }))
  const ann = await client()
  const response = await ann.postTo('/v1/rerank', { ...body, return_documents: true, own_field: 0 })
  expect(await response.json()).toMatchObject({ results })
  expect(upstream.journal.at(-1)!.body).toEqual({ ...body, return_documents: true, own_field: 0 })
  expect((await logsOf(ann.person))[0]).toMatchObject({ prompt_tokens: tokens, quota: tokens * 2 })
  expect(await ann.balance()).toBe(RICH - tokens * 2)
})

test('a price per call counts search units', async () => {
  upstream.scripts('rerank-v3.5', says({ results, meta: { billed_units: { search_units: 3 } } }))
  const ann = await client()
  await ann.postTo('/rerank', { ...body, model: 'rerank-v3.5' })
  expect(await ann.balance()).toBe(RICH - 3000)
})

test.each([
  ['query', { query: '' }],
  ['query', { query: 3 }],
  ['documents', { documents: [] }],
  ['documents', { documents: 'Rome' }],
  ['top_n', { top_n: -1 }],
  ['top_n', { top_n: 1.5 }],
  ['top_n', { top_n: '3' }],
])('a wrong %s is refused', async (param, fields) => {
  const ann = await client()
  expect(await errorOf(await ann.postTo('/v1/rerank', { ...body, ...fields }))).toMatchObject({ status: 400, param })
  expect(await ann.balance()).toBe(RICH)
})
