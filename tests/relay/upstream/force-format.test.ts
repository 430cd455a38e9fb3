/** Channel settings that force the format of OpenAI's chat, for clients of other formats. */
import { afterAll, expect, test } from 'bun:test'
import { client, quotaOf } from '../../support/people/client.ts'
import { channelTo, deleteChannels } from '../../support/upstream/served-channel.ts'

const CLAUDE = 14
const usage = { input_tokens: 10, output_tokens: 4 }
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', stop_reason: 'end_turn', usage }
const blocks = [
  { type: 'thinking', thinking: 'Let me see.', signature: 'sig' },
  { type: 'text', text: 'Yes.' },
]
const of = (type: string, fields: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
const events = [
  of('message_start', { message: { ...message, content: [], stop_reason: null } }),
  of('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
  of('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'Let me see.' } }),
  of('content_block_stop', { index: 0 }),
  of('content_block_start', { index: 1, content_block: { type: 'text', text: '' } }),
  of('content_block_delta', { index: 1, delta: { type: 'text_delta', text: 'Yes.' } }),
  of('content_block_stop', { index: 1 }),
  of('message_delta', { delta: { stop_reason: 'end_turn' }, usage }),
  of('message_stop'),
]

const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { stream } = (await request.json()) as { stream?: boolean }
    if (stream) return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } })
    return Response.json({ ...message, content: blocks })
  },
})
afterAll(() => upstream.stop(true))

const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 50 }
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
const bodies = [
  ['/v1/messages', chat],
  ['/v1/messages', { ...chat, stream: true }],
  ['/v1/responses', { model: 'gpt-4o', input: 'Hi' }],
  ['/v1/responses', { model: 'gpt-4o', input: 'Hi', stream: true }],
  ['/v1beta/models/gpt-4o:generateContent', { contents }],
  ['/v1beta/models/gpt-4o:streamGenerateContent?alt=sse', { contents }],
] as const

/** Ids and moments differ from call to call. */
const lasting = (text: string) =>
  text.replaceAll(/(?:resp|msg|rs|item|chatcmpl)[-_](?!1")[\w-]+/g, 'an id').replaceAll(/\b1\d{9}\b/g, 'a time')

test.each(bodies)('force_format: a client of another format gets the usual response: %s %j', async (path, body) => {
  const ann = await client()
  const answerWith = async (setting: object) => {
    await deleteChannels()
    await channelTo(`http://127.0.0.1:${upstream.port}`, { type: CLAUDE, setting: JSON.stringify(setting) })
    const before = await ann.balance()
    const response = await ann.postTo(path, body)
    return [response.status, lasting(await response.text()), before - (await ann.balance())]
  }
  const usual = await answerWith({})
  expect(usual).toEqual([200, expect.stringContaining('Yes.'), quotaOf(10, 4)])
  expect(await answerWith({ force_format: true, thinking_to_content: true })).toEqual(usual)
})
