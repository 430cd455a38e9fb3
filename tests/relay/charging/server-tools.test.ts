/** Calls with tools that the upstream runs itself, whose results become part of a prompt that is billed. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { setOption } from '../../support/app/options.ts'
import { setPrice } from '../../support/app/prices.ts'
import { type Client, client } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { channelOf } from '../../support/upstream/format-upstreams.ts'

type Json = Record<string, unknown>

/** What the upstream reads beside the request. */
const FETCHED = 100_000
const AT_ONCE = 6

const answers: Record<ClientFormatName, Json> = {
  'openai-chat': {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'chat-1',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Done.' } }],
    usage: { prompt_tokens: FETCHED, completion_tokens: 5, total_tokens: FETCHED + 5 },
  },
  'openai-responses': {
    ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'response-1' },
    output: [
      {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
      },
    ],
    usage: { input_tokens: FETCHED, output_tokens: 5, total_tokens: FETCHED + 5 },
  },
  anthropic: {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'message-1', stop_reason: 'end_turn' },
    content: [{ type: 'text', text: 'Done.' }],
    usage: { input_tokens: FETCHED, output_tokens: 5 },
  },
  gemini: {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Done.' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: FETCHED, candidatesTokenCount: 5, totalTokenCount: FETCHED + 5 },
  },
}

const models: Record<ClientFormatName, string> = {
  'openai-chat': 'chat-1',
  'openai-responses': 'response-1',
  anthropic: 'message-1',
  gemini: 'content-1',
}

let asked = 0
/** Answers nothing before every call of a test is decided. */
let gate = Promise.withResolvers<void>()
const formatAt = (path: string): ClientFormatName =>
  path.includes('/responses')
    ? 'openai-responses'
    : path.includes('/messages')
      ? 'anthropic'
      : path.includes('/chat/')
        ? 'openai-chat'
        : 'gemini'

const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    asked++
    await gate.promise
    return Response.json(answers[formatAt(new URL(request.url).pathname)])
  },
})
afterAll(() => upstream.stop(true))

const url = `http://127.0.0.1:${upstream.port}`
for (const [format, model] of Object.entries(models))
  await channelOf(format as ClientFormatName, { url }, { models: `${model},sonar` })
const atOne = Object.fromEntries([...Object.values(models), 'sonar'].map(model => [model, 1]))
await setPrice('ModelRatio', atOne)
await setPrice('CompletionRatio', atOne)
await setPrice('ToolPrice', { web_search: 1, file_search: 1, code_interpreter: 1, google_search: 1, google_maps: 1 })
await setOption('PreConsumedQuota', 0)

beforeEach(() => {
  asked = 0
  gate = Promise.withResolvers()
})

const response = (tool: Json, fields: Json = {}) =>
  ['/v1/responses', { model: 'response-1', input: 'Hi', max_output_tokens: 5, tools: [tool], ...fields }] as const
const message = (fields: Json) =>
  [
    '/v1/messages',
    { model: 'message-1', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }], ...fields },
  ] as const
const content = (tool: string) =>
  [
    '/v1beta/models/content-1:generateContent',
    { contents: [{ parts: [{ text: 'Hi' }] }], generationConfig: { maxOutputTokens: 5 }, tools: [{ [tool]: {} }] },
  ] as const
const chat = (fields: Json) =>
  [
    '/v1/chat/completions',
    { model: 'chat-1', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }], ...fields },
  ] as const

const tools: [name: string, call: readonly [path: string, body: Json]][] = [
  ['Responses: mcp', response({ type: 'mcp', server_label: 'a', server_url: 'https://a.example' })],
  ['Responses: file_search', response({ type: 'file_search', vector_store_ids: [] })],
  ['Responses: web_search', response({ type: 'web_search' })],
  ['Responses: code_interpreter', response({ type: 'code_interpreter', container: { type: 'auto' } })],
  ['Responses: a tool of the future', response({ type: 'telepathy' })],
  ['Anthropic: web_search', message({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] })],
  ['Anthropic: web_fetch', message({ tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] })],
  ['Anthropic: code_execution', message({ tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] })],
  ['Anthropic: mcp_servers', message({ mcp_servers: [{ type: 'url', name: 'a', url: 'https://a.example' }] })],
  ['Anthropic: container', message({ container: { skills: [{ type: 'anthropic', skill_id: 'pdf' }] } })],
  ...['googleSearch', 'google_search', 'urlContext', 'fileSearch', 'codeExecution', 'googleMaps'].map(
    name => [`Gemini: ${name}`, content(name)] as [string, readonly [string, Json]],
  ),
  ['chat: a model that searches', chat({ model: 'sonar' })],
]

async function burst([path, body]: readonly [string, Json], ann: Client, calls = AT_ONCE): Promise<Response[]> {
  const answers = Array.from({ length: calls }, async () => {
    const answer = await ann.postTo(path, body)
    if (answer.status === 403 && ++refused === calls - 1) gate.resolve()
    return answer
  })
  let refused = 0
  return Promise.all(answers)
}

test.each(tools)('%s: one of six calls runs while the balance is below the context', async (_, call) => {
  const poor = await client({}, 5000)
  const answers = await burst(call, poor)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403, 403])
  expect(asked).toBe(1)
  const [refused] = answers.filter(({ status }) => status === 403)
  expect((await errorOf(refused!)).message).toMatch(/needs up to \$[0-9]+\.\d+, \$0\.00 is left/)
})

test.each<[string, readonly [string, object]]>([
  ['Responses', response({ type: 'function', name: 'web_search', parameters: {} })],
  ['Responses', response({ type: 'custom', name: 'googleSearch' })],
  ['Responses', response({ type: 'local_shell' })],
  ['Anthropic', message({ tools: [{ name: 'web_fetch', input_schema: { type: 'object' } }] })],
  ['Anthropic', message({ tools: [{ type: 'bash_20250124', name: 'bash' }] })],
  ['chat', chat({ tools: [{ type: 'function', function: { name: 'googleSearch' } }] })],
] as [string, readonly [string, Json]][])('%s: calls with tools of the client run side by side', async (_, call) => {
  const poor = await client({}, 5000)
  const running = Array.from({ length: AT_ONCE }, () => poor.postTo(...call))
  await until(() => asked === AT_ONCE)
  gate.resolve()
  for (const answer of await Promise.all(running)) expect(answer.status).toBe(200)
})

test('calls with tools run side by side as far as the balance pays for their contexts', async () => {
  const rich = await client({}, 2 * 270_000)
  const [path, body] = response({ type: 'mcp', server_label: 'a', server_url: 'https://a.example' })
  const running = Array.from({ length: 2 }, () => rich.postTo(path, body))
  await until(() => asked === 2)
  gate.resolve()
  for (const answer of await Promise.all(running)) expect(answer.status).toBe(200)
  expect(await rich.balance()).toBe(2 * 270_000 - 2 * (FETCHED + 5))
})

/** What a context of unknown length is held as. */
const CONTEXT = 262_144
const PER_SEARCH = 50_000

/** The status of a plain call beside one that searches. */
async function beside(balance: number, limit: Json): Promise<number> {
  const ann = await client({}, balance)
  const before = asked
  const searching = ann.postTo(...message({ tools: [{ type: 'web_search_20250305', name: 'web_search', ...limit }] }))
  await until(() => asked === before + 1)
  const plain = ann.postTo(...chat({ max_tokens: 500 }))
  const refusal = plain.then(({ status }) => status)
  const status = await Promise.race([refusal, until(() => asked === before + 2).then(() => 200)])
  gate.resolve()
  expect((await searching).status).toBe(200)
  await plain
  gate = Promise.withResolvers()
  return status
}

test.each([
  ['as often as the tool allows', { max_uses: 3 }, 3],
  ['ten times, where nothing limits them', {}, 10],
])('searches are held for %s', async (_, limit, uses) => {
  await setPrice('ToolPrice', { web_search: 100 })
  const whole = CONTEXT + 5 + uses * PER_SEARCH
  expect(await beside(whole + 1000, limit)).toBe(200)
  expect(await beside(whole - 1, limit)).toBe(403)
})
