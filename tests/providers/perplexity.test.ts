// @engine sqlite
/** Perplexity: fees of searches on the bill, sources as citations in every client's format. */
import { beforeEach, expect, test } from 'bun:test'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { recordedProviders } from '../support/upstream/fixtures.ts'
import type { Json } from '../support/upstream/strict-provider.ts'

const { server, upstream, fixtures } = (await recordedProviders()).find(({ name }) => name === 'perplexity')!
const recorded = Object.fromEntries(fixtures)
const root = await setUp()
const AGENT = 'perplexity/sonar'
const models = `sonar,sonar-pro,sonar-deep-research,${AGENT}`
await makeChannel(root, { ...server.channel, models, base_url: upstream.url })
// A dollar a million tokens is half a unit of quota a token.
await setOption('ModelRatio', JSON.stringify({ sonar: 0.5, 'sonar-pro': 1.5, 'sonar-deep-research': 1, [AGENT]: 1 }))
await setOption('CompletionRatio', JSON.stringify({ sonar: 1, 'sonar-pro': 5, 'sonar-deep-research': 4, [AGENT]: 4 }))
await setOption('ReasoningRatio', JSON.stringify({ 'sonar-deep-research': 1.5 }))

let ann: Client
beforeEach(async () => {
  ann = await client()
})

async function billOf(name: string) {
  const { asks, answers } = recorded[name]!
  upstream.expects(server.channel, answers)
  const response = await ann.post(asks.body!)
  expect(response.status).toBe(200)
  await response.text()
  const [{ quota, other }] = await logsOf(ann.person)
  const lines = other.lines.map(({ bucket, count, unit_price, per }: Json) => [bucket, count, unit_price, per])
  return { quota, lines }
}

test('a request has a fee by the depth of its search, beside its tokens', async () => {
  // 15 tokens of half a unit each, and 5 dollars a thousand requests: 0.005 dollars are 2500.
  const { quota, lines } = await billOf('chat')
  expect(quota).toBe(Math.round(15 / 2) + 2500)
  expect(lines).toContainEqual(['tool:search_request_low', 1, 5, 1000])
})

test('a streamed request has its fee once, however often it is reported', async () => {
  const { quota, lines } = await billOf('chat-streamed')
  expect(quota).toBe(Math.round(15 / 2) + 2500)
  expect(lines).toContainEqual(['tool:search_request_low', 1, 5, 1000])
})

test('a deeper search of a larger model has the fee of that model', async () => {
  // 10 tokens of 3 dollars a million and 5 of 15, and 10 dollars a thousand requests.
  const { quota, lines } = await billOf('search-options')
  expect(quota).toBe(Math.round(10 * 1.5 + 5 * 7.5) + 5000)
  expect(lines).toContainEqual(['tool:search_request_medium', 1, 10, 1000])
})

test('a deep research is billed by searches, citations and thoughts, without a fee of the request', async () => {
  // 33 of the prompt and 967 of citations at 2 dollars a million, 100 of output at 8, 900 of thoughts at 3.
  const { quota, lines } = await billOf('deep-research')
  expect(quota).toBe(1000 + 100 * 4 + 900 * 1.5 + 18 * 2500)
  expect(lines).toEqual([
    ['input', 1000, 2, 1_000_000],
    ['output', 100, 8, 1_000_000],
    ['reasoning', 900, 3, 1_000_000],
    ['tool:search_query', 18, 5, 1000],
  ])
})

test('searches and pages of an agent are billed by their number', async () => {
  const { answers } = recorded.responses!
  upstream.expects(server.channel, answers)
  const response = await ann.postTo('/v1/responses', { model: AGENT, input: 'hi', tools: [{ type: 'web_search' }] })
  expect([response.status, upstream.violations()]).toEqual([200, []])
  await response.text()
  const [{ quota, other }] = await logsOf(ann.person)
  // 60 tokens, 40 cached ones, 5 of output at four times the price; a thousand searches are 2.5 dollars, pages 0.5.
  expect(other.lines.map(({ bucket, count, amount }: Json) => [bucket, count, Number(amount)])).toEqual([
    ['input', 60, 60],
    ['cache_read', 40, 40],
    ['output', 5, 20],
    ['tool:fetch_url', 1, 250],
    ['tool:web_search', 2, 2500],
  ])
  expect(quota).toBe(60 + 40 + 20 + 250 + 2500)
})

test.each(['finance_search', 'people_search', 'sandbox'])('the tool %s is refused, for it has no price', async type => {
  upstream.expects(server.channel, recorded.responses!.answers)
  const response = await ann.postTo('/v1/responses', { model: AGENT, input: 'hi', tools: [{ type }] })
  expect(response.status).toBe(400)
  expect((await response.json()).error.param).toBe('tools[0]')
})

test('a request that searches nothing has no fee', async () => {
  const { lines } = await billOf('search-disabled')
  expect(lines.map(([bucket]: [string]) => bucket)).toEqual(['input', 'output'])
})

test('search options are refused where their fee has no price', async () => {
  await setOption('ToolPrice', JSON.stringify({ search_request_low: 5 }))
  upstream.expects(server.channel, recorded.chat!.answers)
  const response = await ann.post(recorded['high-search']!.asks.body!)
  await setOption('ToolPrice', JSON.stringify({ search_request_low: 5, search_request_high: 12 }))
  expect(response.status).toBe(400)
  expect((await response.json()).error.param).toBe('web_search_options')
})

const question = 'How many stars?'
const calls: [format: string, path: string, body: Json][] = [
  ['OpenAI chat', '/v1/chat/completions', { messages: [{ role: 'user', content: question }] }],
  ['Responses', '/v1/responses', { input: question }],
  ['Anthropic', '/v1/messages', { max_tokens: 100, messages: [{ role: 'user', content: question }] }],
  ['Gemini', '/v1beta/models/sonar:generateContent', { contents: [{ role: 'user', parts: [{ text: question }] }] }],
]

const both = calls.flatMap(([format, path, body]) => [
  { format, path, body, model: 'sonar', whole: 'chat', streamed: 'chat-streamed' },
  {
    format,
    path: path.replace('sonar', AGENT),
    body,
    model: AGENT,
    whole: 'responses',
    streamed: 'responses-streamed',
  },
])

test.each(both)(
  'a client of $format sees the sources of a response of $model',
  async ({ path, body, model, whole }) => {
    upstream.expects(server.channel, recorded[whole]!.answers)
    const response = await ann.postTo(path, { model, ...body })
    const text = await response.text()
    expect(upstream.violations()).toEqual([])
    for (const source of ['https://a.example/stars', 'https://b.example/sky']) expect(text).toContain(source)
  },
)

test.each(both)('a client of $format sees the sources of a stream of $model', async call => {
  const { format, path, body, model, streamed } = call
  upstream.expects(server.channel, recorded[streamed]!.answers)
  const to = path.replace(':generateContent', ':streamGenerateContent?alt=sse')
  const response = await ann.postTo(to, { model, ...body, ...(format !== 'Gemini' && { stream: true }) })
  const text = await response.text()
  expect(upstream.violations()).toEqual([])
  expect(text).toContain('https://a.example/stars')
})
