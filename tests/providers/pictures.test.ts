/** Providers that fetch nothing are sent the pictures themselves, and nobody else is. */
import { afterAll, expect, test } from 'bun:test'
import { env } from '../../src/env.ts'
import { channelTo, client, MODEL, startUpstream, told } from '../support/relay.ts'
import { chat } from '../support/scripts.ts'
import { setUp } from '../support/visit.ts'

const pictures = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => new Response('a picture', { headers: { 'content-type': 'image/png' } }),
})
const address = `http://127.0.0.1:${pictures.port}/a.png`
const inline = `data:image/png;base64,${Buffer.from('a picture').toString('base64')}`
afterAll(() => {
  env.OUTBOUND_ALLOW = []
  return pictures.stop(true)
})

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
test.each(types)('type %i', async (type, sent) => {
  const { id } = await channelTo(upstream, { type })
  env.OUTBOUND_ALLOW = ['127.0.0.0/8']
  const ann = await client()
  expect((await ann.chat({ messages: seeing(address) })).status).toBe(200)
  expect(upstream.journal.at(-1)!.body).toEqual({ model: MODEL, messages: seeing(sent) })

  const calls = upstream.journal.length
  env.OUTBOUND_ALLOW = []
  const refused = await ann.chat({ messages: seeing(address) })
  if (type === 1) expect(refused.status).toBe(200)
  else {
    expect(await told(refused)).toMatchObject({ status: 400, code: 'unfetchable' })
    expect(upstream.journal).toHaveLength(calls)
  }
  await (await setUp()).delete(`/api/channel/${id}`)
})
