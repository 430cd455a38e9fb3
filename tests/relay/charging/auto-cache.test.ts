// @engine sqlite
/** Cache marks for clients that expect caching by itself, and what is held for the writes. */
import { afterAll, expect, test } from 'bun:test'
import { anthropic } from '../../../src/formats/anthropic/index.ts'
import { openAiChat } from '../../../src/formats/openai-chat/index.ts'
import type { Json } from '../../formats/wire/sse.ts'
import { expectBillsComputable, setPrice } from '../../support/app/prices.ts'
import { chatBody, client, MODEL, quotaOf } from '../../support/people/client.ts'
import {
  ANTHROPIC,
  ask,
  billed,
  bodies,
  channel,
  type Door,
  PLAIN,
  received,
  reports,
} from '../../support/upstream/reporting-upstream.ts'

afterAll(() => expectBillsComputable(5))

const parameters = { type: 'object', properties: {} }
const f = { name: 'f', parameters }
const asked: [Door, Json][] = [
  [
    'chat',
    {
      messages: [{ role: 'system', content: 'Be kind' }, ...chatBody().messages],
      tools: [{ type: 'function', function: f }],
    },
  ],
  ['responses', { instructions: 'Be kind', tools: [{ type: 'function', ...f }] }],
  ['responses', { instructions: 'Be kind', prompt_cache_key: 'k' }],
  ['gemini', { systemInstruction: { parts: [{ text: 'Be kind' }] }, tools: [{ functionDeclarations: [f] }] }],
]
const mark = { cache_control: { type: 'ephemeral' } }
const body = () => received.at(-1)!.body
const marksSent = () => JSON.stringify(body()).split('cache_control').length - 1

test.each(asked)('a conversation of %p that goes on is marked at instructions and question', async (door, fields) => {
  await channel(ANTHROPIC)
  reports({ usage: { input_tokens: 0, cache_creation_input_tokens: 1000 } })
  const writes = (await billed(door, fields)).paid
  expect(writes).toBe(Math.round(PLAIN + quotaOf(1000, 0) / 4))
  expect(body().system).toMatchObject([{ text: 'Be kind', ...mark }])
  expect((body().messages as Json[]).at(-1)!.content).toMatchObject([mark])
  expect(marksSent()).toBe(2)
})

test('the last two questions of a longer loop are marked, results of tools among them, and never more than four places', async () => {
  await channel(ANTHROPIC)
  const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
  const round = (id: string) => [
    { role: 'assistant', content: null, tool_calls: [call(id)] },
    { role: 'tool', tool_call_id: id, content: 'Done' },
  ]
  const messages = [...chatBody().messages, ...['a', 'b', 'c'].flatMap(round)]
  await billed('chat', { messages, tools: [{ type: 'function', function: f }] })
  const marked = (body().messages as { content: Json[] | string }[]).map(({ content }) =>
    Array.isArray(content) ? content.filter(block => block.cache_control).map(block => block.tool_use_id) : [],
  )
  expect(marked).toEqual([[], [], [], [], ['b'], [], ['c']])
  // Without instructions the last tool ends what never changes.
  expect(body().tools).toMatchObject([mark])
})

test('nothing is marked for a single question, by the channel’s setting, for old models, or beside the client’s own marks', async () => {
  await channel(ANTHROPIC)
  await billed('chat')
  expect(marksSent()).toBe(0)
  const tools = [{ ...f, input_schema: parameters }]
  await billed('messages', { tools })
  expect(marksSent()).toBe(0)
  await channel(ANTHROPIC, {}, { models: 'old', model_mapping: '{"old":"claude-3-opus-20240229"}' })
  await setPrice('ModelRatio', { old: 1, [MODEL]: 1.25 })
  const ann = await client()
  expect((await ask(ann, 'chat', { ...asked[0]![1], model: 'old' })).status).toBe(200)
  expect(marksSent()).toBe(0)
})

test('the channel’s setting turns marks off', async () => {
  await channel(ANTHROPIC, { auto_cache: false })
  for (const [door, fields] of asked) {
    await billed(door, fields)
    expect(marksSent()).toBe(0)
  }
})

const PROMPT = 40_000
const LIMIT = 100
const long = 'a '.repeat(PROMPT)
const userOf = (more: Json = {}) => [{ role: 'user', content: [{ type: 'text', text: long, ...more }] }]
const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } }

test.each([
  ['marked by the gateway', 'chat', { messages: userOf(), tools: [{ type: 'function', function: f }] }, 1.25],
  ['marked by the client', 'messages', { messages: userOf(mark) }, 1.25],
  ['marked for an hour', 'messages', { messages: userOf(hour) }, 2],
  ['marked as a whole', 'messages', { messages: userOf(), ...mark }, 1.25],
  ['not marked', 'messages', { messages: userOf() }, 1],
] as [string, Door, Json, number][])(
  'a prompt %s is held at the price of its writes',
  async (_, door, fields, factor) => {
    await channel(ANTHROPIC)
    reports({ usage: { input_tokens: 10, output_tokens: 10 } })
    const free = { ...fields, max_tokens: LIMIT }
    const rich = await client()
    expect((await ask(rich, door, free)).status).toBe(200)
    const estimated = async (share: number) => {
      const prompt = quotaOf(tokensOf(door, free), LIMIT)
      return (await ask(await client({}, Math.ceil(prompt * share)), door, free)).status
    }
    expect(await estimated(factor * 1.01)).toBe(200)
    if (factor > 1) expect(await estimated(factor * 0.97)).toBe(403)
  },
)

/** As the gateway estimates the prompt of this body. */
const tokensOf = (door: Door, fields: Json): number => {
  const format = door === 'chat' ? openAiChat : anthropic
  return format.promptTokens({ ...bodies[door][1], ...fields })
}
