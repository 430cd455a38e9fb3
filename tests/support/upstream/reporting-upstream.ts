/** An upstream that answers 1000 + 1000 tokens in four formats, and whatever it is to report besides. */
import { afterAll, afterEach, beforeEach, expect } from 'bun:test'
import type { Json } from '../../formats/wire/sse.ts'
import { lastBill, resetPrices } from '../app/prices.ts'
import { type Client, chatBody, client, MODEL, quotaOf } from '../people/client.ts'
import { channelTo, deleteChannels } from './served-channel.ts'

export const [OPENAI, CUSTOM, ANTHROPIC, OPENROUTER, GEMINI, XAI] = [1, 8, 14, 20, 24, 48] as const

interface Received {
  path: string
  headers: Headers
  body: Json
}
export const received: Received[] = []
/** What the upstream answers besides its text and 1000 + 1000 tokens, by field; `usage` is merged. */
let answers: Json = {}
let headers: Record<string, string> = {}
export const reports = (fields: Json, beside: Record<string, string> = {}) => {
  answers = fields
  headers = beside
}

const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname } = new URL(request.url)
    const body = (await request.json()) as Json
    received.push({ path: pathname, headers: request.headers, body })
    const streams = body.stream === true || pathname.includes(':stream')
    if (pathname.endsWith('/messages')) return streams ? sse(messageEvents()) : whole(message())
    if (pathname.endsWith('/responses')) return streams ? sse(responseEvents()) : whole(response())
    if (pathname.includes(':')) return streams ? sse([content()]) : whole(content())
    return streams ? sse(chunks(), 'data: [DONE]\n\n') : whole(completion())
  },
})
afterAll(() => upstream.stop(true))

const whole = (body: Json) => Response.json(body, { headers })

const sse = (events: Json[], last = '') => {
  const text = events.map(event => `${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
  return new Response(text.join('') + last, { headers: { 'content-type': 'text/event-stream', ...headers } })
}

const beside = () => {
  const { usage: _, output: __, ...fields } = answers
  return fields
}
const report = (fields: Json) => ({ ...fields, ...(answers.usage as Json | undefined) })
const choice = { index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }
const openAiUsage = () => report({ prompt_tokens: 1000, completion_tokens: 1000, total_tokens: 2000 })
const completion = () => ({ id: 'c', model: MODEL, choices: [choice], usage: openAiUsage(), ...beside() })
const chunks = () => [
  { id: 'c', model: MODEL, choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }], ...beside() },
  { id: 'c', model: MODEL, choices: [], usage: openAiUsage(), ...beside() },
]
const response = () => ({
  id: 'r',
  object: 'response',
  status: 'completed',
  model: MODEL,
  output: [
    ...((answers.output as Json[] | undefined) ?? []),
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] },
  ],
  usage: report({ input_tokens: 1000, output_tokens: 1000, total_tokens: 2000 }),
  ...beside(),
})
const responseEvents = () => [
  { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hi' },
  { type: 'response.completed', response: response() },
]
const anthropicUsage = () => report({ input_tokens: 1000, output_tokens: 1000 })
const message = () => ({
  ...{ id: 'm', type: 'message', role: 'assistant', model: MODEL, content: [{ type: 'text', text: 'Hi' }] },
  ...{ stop_reason: 'end_turn', usage: anthropicUsage(), ...beside() },
})
const messageEvents = () => [
  { type: 'message_start', message: { ...message(), content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: anthropicUsage() },
  { type: 'message_stop' },
]
const content = () => ({
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 1000 },
  modelVersion: MODEL,
  ...beside(),
})

beforeEach(() => {
  received.length = 0
  answers = {}
  headers = {}
})
afterEach(async () => {
  await deleteChannels()
  await resetPrices()
})
export const PLAIN = quotaOf(1000, 1000)
export const url = `http://127.0.0.1:${upstream.port}`
export const channel = (type: number, setting: Json = {}, fields: Json = {}) =>
  channelTo(url, { type, setting: JSON.stringify(setting), ...fields })
export const allowing = (...allowed_fields: string[]) => ({ allowed_fields })

export const bodies = {
  chat: ['/v1/chat/completions', chatBody()],
  responses: ['/v1/responses', { model: MODEL, input: 'Hi' }],
  messages: ['/v1/messages', { model: MODEL, max_tokens: 2000, messages: [{ role: 'user', content: 'Hi' }] }],
  gemini: [`/v1beta/models/${MODEL}:generateContent`, { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }],
  gemini_stream: [
    `/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`,
    { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  ],
} as const
export type Door = keyof typeof bodies

export const ask = (ann: Client, door: Door, fields: Json = {}, headers: Record<string, string> = {}) =>
  ann.postTo(bodies[door][0], { ...bodies[door][1], ...fields }, { headers })

/** What a call cost, with its log entry. */
export async function billed(door: Door, fields: Json = {}, headers: Record<string, string> = {}) {
  const ann = await client()
  const answer = await ask(ann, door, fields, headers)
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Hi')])
  return lastBill(ann)
}
