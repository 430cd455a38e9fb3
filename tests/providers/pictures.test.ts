// @engine sqlite
/** Providers that fetch nothing are sent the pictures themselves, and nobody else is. */
import { afterAll, expect, test } from 'bun:test'
import { setEnv } from '../support/env.ts'
import { client, MODEL } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { told } from '../support/people/responses.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { listen } from '../support/upstream/http-server.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const pictures = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => new Response('a picture', { headers: { 'content-type': 'image/png' } }),
})
const address = `http://127.0.0.1:${pictures.port}/a.png`
const inline = `data:image/png;base64,${Buffer.from('a picture').toString('base64')}`
afterAll(() => pictures.stop(true))

const upstream = await startUpstream(chat())
const seeing = (url: string) => [
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
  [1, address],
]
test('a mirror that fetches nothing is sent the pictures too, those in results of tools as well', async () => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  const asked: any[] = []
  const kimi = await listen(async ({ target, body }, answer) => {
    asked.push({ target, ...JSON.parse(body) })
    const usage = { input_tokens: 10, output_tokens: 1 }
    const content = [{ type: 'text', text: 'A dot' }]
    await answer.json({ id: 'm1', type: 'message', role: 'assistant', content, stop_reason: 'end_turn', usage })
  })
  const { id } = await channelTo(`http://127.0.0.1:${kimi.port}`, {
    type: 25,
    model_mapping: JSON.stringify({ [MODEL]: 'kimi-k2.5' }),
  })
  const shown = { type: 'image', source: { type: 'url', url: address } }
  const sent = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: inline.split(',')[1] } }
  const messages = (image: object) => [
    { role: 'user', content: [{ type: 'text', text: 'Look' }, image] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'draw', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [image] }] },
  ]
  const ann = await client()
  const body = { model: MODEL, max_tokens: 100, messages: messages(shown) }
  const response = await ann.postTo('/v1/messages', body)
  expect(response.status).toBe(200)
  expect(asked).toMatchObject([{ target: '/anthropic/v1/messages', model: 'kimi-k2.5', messages: messages(sent) }])
  kimi.stop()
  await (await setUp()).delete(`/api/channel/${id}`)
})

test.each(types)('type %i', async (type, sent) => {
  const { id } = await channelTo(upstream, { type })
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  const ann = await client()
  expect((await ann.chat({ messages: seeing(address) })).status).toBe(200)
  expect(upstream.journal.at(-1)!.body).toEqual({ model: MODEL, messages: seeing(sent) })

  const calls = upstream.journal.length
  setEnv({ OUTBOUND_ALLOW: [] })
  const refused = await ann.chat({ messages: seeing(address) })
  if (type === 1) expect(refused.status).toBe(200)
  else {
    expect(await told(refused)).toMatchObject({ status: 400, code: 'unfetchable' })
    expect(upstream.journal).toHaveLength(calls)
  }
  await (await setUp()).delete(`/api/channel/${id}`)
})
