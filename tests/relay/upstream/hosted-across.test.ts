// @engine sqlite
/** Web searches of clients whose format is not the upstream's: carried where the maker takes them, else left out. */
import { afterAll, expect, test } from 'bun:test'
import type { Json } from '../../formats/wire/sse.ts'
import { expectBillsComputable, setPrice } from '../../support/app/prices.ts'
import { client, MODEL } from '../../support/people/client.ts'
import {
  ANTHROPIC,
  ask,
  billed,
  CUSTOM,
  channel,
  type Door,
  GEMINI,
  OPENAI,
  OPENROUTER,
  PLAIN,
  received,
  reports,
  XAI,
} from '../../support/upstream/reporting-upstream.ts'

afterAll(() => expectBillsComputable(10))

const per1000 = (usd: number) => usd * 500
const search = { type: 'web_search_20250305', name: 'web_search' }
const asked: Partial<Record<Door, Json>> = {
  messages: { tools: [search], tool_choice: { type: 'tool', name: 'web_search' } },
  gemini: { tools: [{ googleSearch: {} }] },
}
const doors = Object.entries(asked) as [Door, Json][]
const bodyOf = () => received.at(-1)!.body

test.each(doors)('a search of %p goes to OpenAI by the API that searches, at its price', async (door, fields) => {
  await channel(OPENAI)
  reports({ output: [{ type: 'web_search_call', id: 'w', status: 'completed' }] })
  expect((await billed(door, fields)).paid).toBe(PLAIN + per1000(10))
  expect(received.map(({ path }) => path)).toEqual(['/v1/responses'])
  expect(bodyOf()).toMatchObject({ model: MODEL, tools: [{ type: 'web_search' }] })
})

test.each(doors)('a search of %p goes to a search model in the chat, once for each call', async (door, fields) => {
  await channel(OPENAI, {}, { model_mapping: JSON.stringify({ [MODEL]: 'gpt-4o-search-preview' }) })
  expect((await billed(door, fields)).paid).toBe(PLAIN + per1000(25))
  expect(received.map(({ path }) => path)).toEqual(['/v1/chat/completions'])
  expect(bodyOf().web_search_options).toEqual({})
})

test.each(doors)('xAI searches for %p by its Responses API', async (door, fields) => {
  await channel(XAI, {}, { model_mapping: JSON.stringify({ [MODEL]: 'grok-4' }) })
  reports({ output: [{ type: 'web_search_call', id: 'w', status: 'completed' }] })
  expect((await billed(door, fields)).paid).toBeGreaterThan(PLAIN)
  expect(received.map(({ path }) => path)).toEqual(['/v1/responses'])
})

const both: Door[] = ['messages', 'gemini']
const without: [string, number, string, Door[]][] = [
  ['a model of OpenAI without searches', OPENAI, 'gpt-4.1-nano', both],
  ['a provider without a price for searches', CUSTOM, MODEL, both],
  ['a gateway whose searches have no price', OPENROUTER, 'openai/gpt-5.1', both],
  // Its Anthropic API gets the requests of Anthropic's clients unchanged.
  ['DeepSeek', 43, 'deepseek-chat', ['gemini']],
  ['Mistral', 42, 'mistral-large-latest', both],
  ['Moonshot', 25, 'moonshot-v1-8k', both],
]

test.each(without)(
  'a search is left out for %p, and the call goes on at the plain price',
  async (_, type, model, callers) => {
    await channel(type, {}, { model_mapping: JSON.stringify({ [MODEL]: model }) })
    for (const door of callers) {
      expect((await billed(door, asked[door])).paid).toBe(PLAIN)
      expect(bodyOf()).not.toContainAnyKeys(['web_search_options', 'tools', 'tool_choice'])
    }
  },
)

const f = { name: 'f', input_schema: { type: 'object', properties: {} } }
const ownTools = {
  chat: { tools: [{ type: 'function', function: { name: 'f' } }], web_search_options: {} },
  responses: { tools: [{ type: 'web_search' }, { type: 'function', name: 'f' }] },
  messages: { tools: [search, f] },
}
const ofAnotherGateway = { tools: [{ type: 'web_search' }] }
const leftOut: [string, number, string, Door, Json][] = [
  ...(Object.entries(ownTools) as [Door, Json][]).map(([door, fields]): [string, number, string, Door, Json] => [
    'beside functions',
    ...([GEMINI, 'gemini-2.5-flash', door, fields] as const),
  ]),
  ...[GEMINI, ANTHROPIC].flatMap((type): [string, number, string, Door, Json][] => [
    ['that only other gateways know', type, MODEL, 'chat', ofAnotherGateway],
    ['that only other gateways know', type, MODEL, 'chat', { extra_body: ofAnotherGateway }],
  ]),
]

test.each(leftOut)(
  'a search %s, which is left out, needs no price: %p, %p, %p',
  async (_, type, model, door, fields) => {
    await channel(type, {}, { model_mapping: JSON.stringify({ [MODEL]: model }) })
    await setPrice('ToolPrice', {})
    expect((await billed(door, fields)).paid).toBe(PLAIN)
    expect(JSON.stringify(bodyOf().tools ?? [])).not.toMatch(/search/i)
  },
)

test('a search that is sent needs a price', async () => {
  await channel(GEMINI, {}, { model_mapping: JSON.stringify({ [MODEL]: 'gemini-9-flash' }) })
  await setPrice('ToolPrice', {})
  const ann = await client()
  for (const [door, fields] of Object.entries(ownTools) as [Door, Json][])
    expect((await ask(ann, door, fields)).status).toBe(400)
  expect(received).toEqual([])
})

test('a search without a price of its own is allowed by the channel', async () => {
  const model_mapping = JSON.stringify({ [MODEL]: 'openai/gpt-5.1' })
  await channel(OPENROUTER, { allowed_fields: ['tools.web_search'] }, { model_mapping })
  expect((await billed('messages', asked.messages)).paid).toBe(PLAIN)
  expect(bodyOf().web_search_options).toEqual({})
})

test('a gateway without the Responses API serves the chat without a search', async () => {
  const paths: string[] = []
  using upstream = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ url }) {
      paths.push(new URL(url).pathname)
      if (url.endsWith('/responses')) return Response.json({ error: { message: 'no such path' } }, { status: 404 })
      const usage = { prompt_tokens: 1000, completion_tokens: 1000, total_tokens: 2000 }
      return Response.json({ choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }], usage })
    },
  })
  await channel(OPENAI, {}, { base_url: `http://127.0.0.1:${upstream.port}` })
  const ann = await client()
  for (let call = 0; call < 2; call++) expect((await ask(ann, 'messages', asked.messages)).status).toBe(200)
  expect(paths).toEqual(['/v1/responses', '/v1/chat/completions', '/v1/chat/completions'])
})

test('Gemini 3 gets functions beside its search, and shows the calls; Vertex AI is not asked to', async () => {
  await channel(GEMINI, {}, { model_mapping: JSON.stringify({ [MODEL]: 'gemini-9-flash' }) })
  await billed('messages', { tools: [search, f], tool_choice: { type: 'auto' } })
  expect(bodyOf().toolConfig).toEqual({
    functionCallingConfig: { mode: 'VALIDATED' },
    includeServerSideToolInvocations: true,
  })
})

test('queries that Gemini shows as calls are billed where its metadata names none', async () => {
  await channel(GEMINI)
  const call = { toolCall: { id: 's', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['a', 'b'] } } }
  const parts = [call, { toolResponse: { id: 's', toolType: 'GOOGLE_SEARCH_WEB', response: {} } }, { text: 'Hi' }]
  reports({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] })
  const plain = await billed('gemini')
  expect(plain.paid).toBe(PLAIN + 2 * per1000(14))
  expect((await billed('messages')).paid).toBe(plain.paid)
})

test('calls of Google’s tools in a conversation are left out for other makers', async () => {
  await channel(OPENAI)
  const parts = [
    { toolCall: { id: 's', toolType: 'GOOGLE_SEARCH_WEB', args: {} }, thoughtSignature: 'c2ln' },
    { toolResponse: { id: 's', toolType: 'GOOGLE_SEARCH_WEB', response: {} }, thoughtSignature: 'c2ln' },
    { text: 'Found' },
  ]
  const contents = [
    { role: 'user', parts: [{ text: 'Hi' }] },
    { role: 'model', parts },
    { role: 'user', parts: [{ text: 'And?' }] },
  ]
  await billed('gemini', { contents })
  expect(bodyOf().messages).toMatchObject([
    { content: 'Hi' },
    { role: 'assistant', content: 'Found' },
    { content: 'And?' },
  ])
})

test('the list of an MCP server’s tools is left out for other makers', async () => {
  await channel(OPENAI)
  const listing = { type: 'mcp_tool_listing', mcp_server_name: 'a', tools: [{ name: 'f', input_schema: {} }] }
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [listing, { type: 'text', text: 'Yes?' }] },
    { role: 'user', content: 'Go on' },
  ]
  await billed('messages', { messages })
  expect(bodyOf().messages).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Yes?' },
    { role: 'user', content: 'Go on' },
  ])
})
