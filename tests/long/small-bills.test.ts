/**
 * Bills below one unit of quota and at a half, by the thousand on every route: 0.4 costs 1, 1.4 costs 1, 2.5 costs 3,
 * and balance, log and hand-made sum are the same number.
 */
import { afterAll, expect, test } from 'bun:test'
import { auditWallets } from '../../src/domain/wallet/index.ts'
import { apiRoutes } from '../../src/relay/endpoints/table.ts'
import { setOption } from '../support/app/options.ts'
import { expectBillsComputable } from '../support/app/prices.ts'
import { type Client, client, RICH } from '../support/people/client.ts'
import { dial } from '../support/people/realtime-client.ts'
import { recording } from '../support/people/speech-file.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { embeddings, pictures, says, sounds, tells } from '../support/upstream/endpoint-scripts.ts'
import type { Script } from '../support/upstream/openai.ts'
import { realtimeUpstream } from '../support/upstream/realtime.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const CALLS = 10_000
const AT_ONCE = 16
/** Every answer reports or takes four tokens, at the same price each. */
const TOKENS = 4
const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: TOKENS }
const inputs = { prompt_tokens: TOKENS, total_tokens: TOKENS }
const shares = { input_tokens: 3, output_tokens: 1, total_tokens: TOKENS }
/** Ratio of each model, the exact price of a call in quota, and its bill. */
const prices = [
  { name: 'small', ratio: 0.1, exact: 0.4, quota: 1 },
  { name: 'middle', ratio: 0.35, exact: 1.4, quota: 1 },
  { name: 'half', ratio: 0.625, exact: 2.5, quota: 3 },
]

const response = {
  object: 'response',
  status: 'completed',
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi', annotations: [] }] }],
  usage: shares,
}
const responds: Script = (call, answer) => {
  const script = call.body.stream ? tells({ type: 'response.completed', response }) : says(response)
  return script(call, answer)
}

const answers: Record<string, Script> = {
  '/v1/chat/completions': chat({ text: 'Hi', usage }),
  '/v1/responses': responds,
  '/v1/responses/compact': says({ ...response, object: 'response.compaction' }),
  '/v1/completions': says({
    object: 'text_completion',
    choices: [{ index: 0, text: 'Hi', finish_reason: 'stop' }],
    usage,
  }),
  '/v1/embeddings': embeddings(inputs),
  '/v1/moderations': says({ results: [{ flagged: false }], usage: inputs }),
  '/v1/rerank': says({ results: [{ index: 0, relevance_score: 1 }], usage: { total_tokens: TOKENS } }),
  '/v1/images/generations': pictures(shares),
  '/v1/images/edits': pictures(shares),
  '/v1/images/variations': pictures(shares),
  '/v1/audio/speech': sounds(Buffer.from('sound'), { pieces: 1 }),
  '/v1/audio/transcriptions': says({ text: 'Hi', usage: { type: 'tokens', ...shares } }),
  '/v1/audio/translations': says({ text: 'Hi', usage: { type: 'tokens', ...shares } }),
}

const messages = [{ role: 'user', content: 'Hi' }]
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
const content = { parts: [{ text: 'Hi' }] }
const picture = () => new File(['bytes'], 'a.png', { type: 'image/png' })
const sound = recording(1)

function form(fields: Record<string, string | File>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

type Call = (ann: Client, model: string, isStream: boolean) => Promise<unknown>

/** A call whose answer is read to its end. */
async function read(answer: Promise<Response>) {
  const response = await answer
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`)
}

const posts = (path: string, bodyOf: (model: string, isStream: boolean) => object): Call => {
  const pathOf = (model: string) => path.replace(/[*]|:model/, model)
  return (ann, model, isStream) => read(ann.postTo(pathOf(model), bodyOf(model, isStream)))
}

const gemini = (path: string): [string, Call] => [
  `POST ${path}`,
  path.includes('embed')
    ? posts(path, () => ({ content }))
    : path.includes('batch')
      ? posts(path, model => ({ requests: [{ model: `models/${model}`, content }] }))
      : posts(path, () => ({ contents })),
]
const verbs = ['generateContent', 'streamGenerateContent', 'embedContent', 'batchEmbedContents']

const converse: Call = async (ann, model) => {
  const call = await dial(ann, `/v1/realtime?model=${model}`)
  call.say({ type: 'response.create' })
  await call.seen('response.done')
  call.socket.close()
  await call.closed
}

/** By route. Half of the calls that can stream do. */
const calls: Record<string, Call> = {
  'POST /v1/chat/completions': posts('/v1/chat/completions', (model, stream) => ({ model, stream, messages })),
  'POST /v1/responses': posts('/v1/responses', (model, stream) => ({ model, stream, input: 'Hi' })),
  'POST /v1/responses/compact': posts('/v1/responses/compact', model => ({ model, input: 'Hi' })),
  'POST /v1/messages': posts('/v1/messages', (model, stream) => ({ model, stream, max_tokens: 9, messages })),
  'POST /v1/completions': posts('/v1/completions', model => ({ model, prompt: 'Hi' })),
  'POST /v1/embeddings': posts('/v1/embeddings', model => ({ model, input: 'Hi' })),
  'POST /v1/engines/:model/embeddings': posts('/v1/engines/:model/embeddings', () => ({ input: 'Hi' })),
  'POST /v1/moderations': posts('/v1/moderations', model => ({ model, input: 'Hi' })),
  'POST /v1/rerank': posts('/v1/rerank', model => ({ model, query: 'Hi', documents: ['Hi'] })),
  'POST /rerank': posts('/rerank', model => ({ model, query: 'Hi', documents: ['Hi'] })),
  'POST /v1/images/generations': posts('/v1/images/generations', model => ({ model, prompt: 'Hi' })),
  'POST /v1/images/edits': posts('/v1/images/edits', model => form({ model, prompt: 'Hi', image: picture() })),
  'POST /v1/images/variations': posts('/v1/images/variations', model => form({ model, image: picture() })),
  'POST /v1/audio/speech': posts('/v1/audio/speech', model => ({ model, voice: 'alloy', input: 'x'.repeat(TOKENS) })),
  'POST /v1/audio/transcriptions': posts('/v1/audio/transcriptions', model => form({ model, file: sound })),
  'POST /v1/audio/translations': posts('/v1/audio/translations', model => form({ model, file: sound })),
  'GET /v1/realtime': converse,
  ...Object.fromEntries(['/v1', '/v1beta'].flatMap(prefix => verbs.map(verb => gemini(`${prefix}/models/*:${verb}`)))),
}

const billed = apiRoutes.filter(route => route.operation && route.handle)

/** Speech by characters is known by the name of its model. */
const prefixOf = (path: string) => (path.endsWith('speech') ? 'tts' : 'model')

const cases = billed.flatMap(({ method, path }, route) =>
  prices.map(({ name, ...price }) => ({
    route: `${method} ${path}`,
    model: `${prefixOf(path)}-${route}-${name}`,
    isRealtime: path === '/v1/realtime',
    ...price,
  })),
)

const upstream = await startUpstream()
for (const { model } of cases) upstream.scripts(model, (call, answer) => answers[call.path]!(call, answer))
const sessions = realtimeUpstream()
sessions.turns.push({ usage: shares })
afterAll(() => sessions.stop())
const modelsOf = (isRealtime: boolean) => cases.filter(each => each.isRealtime === isRealtime).map(({ model }) => model)
await channelTo(upstream, { models: modelsOf(false).join() })
await channelTo(sessions.url, { models: modelsOf(true).join() })
await setOption('ModelPrice', '{}')
await setOption('ModelRatio', JSON.stringify(Object.fromEntries(cases.map(({ model, ratio }) => [model, ratio]))))
await setOption('CompletionRatio', JSON.stringify(Object.fromEntries(cases.map(({ model }) => [model, 1]))))

const ann = await client()
const each = Math.ceil(CALLS / cases.length)

/** The usage log of ann, as the API sums it up. */
async function logged(query: string) {
  const entries = (await ann.person.get(`/api/log/self?type=2&p=1&page_size=1&${query}`)).data.total as number
  const { quota, prompt_tokens, completion_tokens } = (await ann.person.get(`/api/log/self/stat?type=2&${query}`)).data
  return { entries, quota, tokens: prompt_tokens + completion_tokens }
}

const sumOf = (list: { quota: number }[]) => list.reduce((sum, { quota }) => sum + quota * each, 0)
const routes = [...new Set(cases.map(({ route }) => route))]

test.each(routes)(`%s is billed alike at 0.4, 1.4 and 2.5 quota, in its share of ${CALLS} calls`, async route => {
  const own = cases.filter(one => one.route === route)
  const before = await ann.balance()
  const queue = own.flatMap(({ model }) => Array.from({ length: each }, (_, turn) => ({ model, turn })))
  const work = async () => {
    for (let next = queue.pop(); next; next = queue.pop()) await calls[route]!(ann, next.model, next.turn % 2 === 1)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  // A session is billed after its client has closed it.
  await until(async () => before - (await ann.balance()) >= sumOf(own))
  for (const { model, quota } of own)
    expect([model, await logged(`model_name=${model}`)]).toEqual([
      model,
      { entries: each, quota: quota * each, tokens: TOKENS * each },
    ])
  expect(before - (await ann.balance())).toBe(sumOf(own))
})

test('sum by hand, log and balance are one number, and every route has been called', async () => {
  expect(Object.keys(calls).sort()).toEqual([...routes].sort())
  expect(each * cases.length).toBeGreaterThanOrEqual(CALLS)
  expect([RICH - (await ann.balance()), (await logged('')).quota]).toEqual([sumOf(cases), sumOf(cases)])
  expect(upstream.violations).toEqual([])
  await expectBillsComputable(each * cases.length)
  expect((await auditWallets()).difference).toBeUndefined()
})
