// @engine sqlite
/** Providers that fetch no URLs receive inline images; others receive the URLs. */
import { afterAll, expect, test } from 'bun:test'
import { setEnv } from '../support/env.ts'
import { client, MODEL } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { errorOf } from '../support/people/responses.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { listen } from '../support/upstream/http-server.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const imageServer = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => new Response('a picture', { headers: { 'content-type': 'image/png' } }),
})
const imageUrl = `http://127.0.0.1:${imageServer.port}/a.png`
const inline = `data:image/png;base64,${Buffer.from('a picture').toString('base64')}`
afterAll(() => imageServer.stop(true))

const upstream = await startUpstream(chat())
const messagesWith = (url: string) => [
  { role: 'system', content: 'Look closely.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url, detail: 'low' } },
    ],
  },
]

const types: [type: number, sent: string][] = [
  [4, inline],
  [25, inline],
  [1, imageUrl],
]
test('Moonshot: the Anthropic API receives inline images, in tool results too', async () => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  const received: any[] = []
  const kimi = await listen(async ({ target, body }, answer) => {
    received.push({ target, ...JSON.parse(body) })
    const usage = { input_tokens: 10, output_tokens: 1 }
    const content = [{ type: 'text', text: 'A dot' }]
    await answer.json({ id: 'm1', type: 'message', role: 'assistant', content, stop_reason: 'end_turn', usage })
  })
  const { id } = await channelTo(`http://127.0.0.1:${kimi.port}`, {
    type: 25,
    model_mapping: JSON.stringify({ [MODEL]: 'kimi-k2.5' }),
  })
  const byUrl = { type: 'image', source: { type: 'url', url: imageUrl } }
  const inlined = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: inline.split(',')[1] } }
  const messages = (image: object) => [
    { role: 'user', content: [{ type: 'text', text: 'Look' }, image] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'draw', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [image] }] },
  ]
  const ann = await client()
  const body = { model: MODEL, max_tokens: 100, messages: messages(byUrl) }
  const response = await ann.postTo('/v1/messages', body)
  expect(response.status).toBe(200)
  // Equal, since `toMatchObject` of Bun 1.4.5 compares an object that stands twice at its first place alone.
  expect(received).toEqual([
    { target: '/anthropic/v1/messages', model: 'kimi-k2.5', max_tokens: 100, messages: messages(inlined) },
  ])
  kimi.stop()
  await (await setUp()).delete(`/api/channel/${id}`)
})

test.each(types)('type %i: an image URL reaches the upstream as the provider accepts it', async (type, sent) => {
  const { id } = await channelTo(upstream, { type })
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  const ann = await client()
  expect((await ann.chat({ messages: messagesWith(imageUrl) })).status).toBe(200)
  expect(upstream.journal.at(-1)!.body).toEqual({ model: MODEL, messages: messagesWith(sent) })

  const calls = upstream.journal.length
  setEnv({ OUTBOUND_ALLOW: [] })
  const refused = await ann.chat({ messages: messagesWith(imageUrl) })
  if (type === 1) expect(refused.status).toBe(200)
  else {
    expect(await errorOf(refused)).toMatchObject({ status: 400, code: 'unfetchable' })
    expect(upstream.journal).toHaveLength(calls)
  }
  await (await setUp()).delete(`/api/channel/${id}`)
})
