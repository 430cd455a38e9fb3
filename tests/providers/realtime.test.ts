// @engine sqlite
/** Realtime sessions: the URL and headers of each provider that has them. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { providers } from '../../src/providers/index.ts'
import { logsOf } from '../support/app/logs.ts'
import { client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { channelTo } from '../support/upstream/served-channel.ts'

const MODEL = 'gpt-4o-realtime-preview'
const usage = {
  ...{ total_tokens: 30, input_tokens: 20, output_tokens: 10 },
  input_token_details: { text_tokens: 20, audio_tokens: 0, cached_tokens: 0 },
  output_token_details: { text_tokens: 10, audio_tokens: 0 },
}

const connections: { target: string; headers: Record<string, string> }[] = []
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request, server) {
    const { pathname, search } = new URL(request.url)
    connections.push({ target: pathname + search, headers: request.headers.toJSON() })
    if (!server.upgrade(request, { data: undefined })) return new Response('Not a socket', { status: 400 })
  },
  websocket: {
    open: socket => void socket.send(JSON.stringify({ type: 'session.created', session: { id: 's1' } })),
    message: socket =>
      void socket.send(JSON.stringify({ type: 'response.done', response: { status: 'completed', usage } })),
  },
})
afterAll(() => upstream.stop(true))
beforeEach(() => void connections.splice(0))

const base = `http://127.0.0.1:${upstream.port}`
const bearer = { authorization: 'Bearer the-key' }
const azurePath = `/openai/realtime?api-version=2024-12-01-preview&deployment=${MODEL}`

const sessions: [type: number, channel: object, target: string, headers: Record<string, string>][] = [
  [
    1,
    { base_url: base, openai_organization: 'org-1' },
    `/v1/realtime?model=${MODEL}`,
    { ...bearer, 'openai-organization': 'org-1' },
  ],
  [3, { base_url: base }, azurePath, { 'api-key': 'the-key' }],
  [8, { base_url: `${base}/talk/{model}?tenant=a` }, `/talk/${MODEL}?tenant=a`, bearer],
  [59, { base_url: base }, `/v1/realtime?model=${MODEL}`, bearer],
  [60, { base_url: base }, `/v1/realtime?model=${MODEL}`, bearer],
]

test.each(sessions)(
  'type %i: a realtime session has the provider’s URL and headers, and is billed',
  async (type, fields, target, headers) => {
    const channel = await channelTo(base, { type, models: MODEL, key: 'the-key', ...fields })
    const ann = await client()
    const socket = new WebSocket(`${ann.url.replace('http', 'ws')}/v1/realtime?model=${MODEL}`, {
      headers: { authorization: `Bearer sk-${ann.key}`, 'openai-beta': 'realtime=v1' },
    } as never)
    const events: string[] = []
    socket.onmessage = ({ data }) => void events.push(JSON.parse(String(data)).type)
    await until(() => events.includes('session.created'))
    socket.send(JSON.stringify({ type: 'response.create' }))
    await until(() => events.includes('response.done'))
    socket.close()

    const entry = await until(async () => (await logsOf(ann.person))[0])
    expect(entry).toMatchObject({ channel: channel.id, prompt_tokens: 20, completion_tokens: 10 })
    expect(connections).toMatchObject([{ target, headers: { ...headers, 'openai-beta': 'realtime=v1' } }])
    if (type === 3) expect(connections[0]!.headers).not.toHaveProperty('authorization')
    await (await setUp()).delete(`/api/channel/${channel.id}`)
  },
)

test('realtime sessions exist at OpenAI, Azure, custom URLs and other gateways only', () => {
  expect(providers.filter(({ apis }) => apis.realtime).map(({ type }) => type)).toEqual([1, 3, 8, 59, 60])
})
