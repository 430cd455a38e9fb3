// @engine sqlite
/** iFlytek Spark: addresses and signatures, keys, and what no socket carries. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { providerOf } from '../../src/providers/index.ts'
import { httpUrl, socketUrl } from '../../src/providers/spark/versions.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { errorOf } from '../support/people/responses.ts'
import { until } from '../support/until.ts'
import { channelTo, deleteChannels } from '../support/upstream/served-channel.ts'
import { type SparkSocket, sparkUpstream, textFrame, usageText } from '../support/upstream/spark.ts'
import { server } from './fixtures/spark/server.ts'

const MODEL = 'generalv3.5'
const { key, type } = server.channel
const upstream = await sparkUpstream(server)
const fields = { type, key, models: MODEL }
await setOption('ModelRatio', JSON.stringify({ [MODEL]: 1, 'tuned@7': 1, SparkDesk: 1 }))
await setOption('AutomaticDisableChannelEnabled', true)

let ann: Client
beforeEach(async () => {
  await setOption('RetryTimes', 0)
  await deleteChannels()
  upstream.expects(server.channel, {})
  ann = await client()
})

const send = (socket: SparkSocket, ...frames: object[]) => {
  for (const frame of frames) socket.send(JSON.stringify(frame))
}
const hello = [textFrame(0, 'Hel'), textFrame(1, 'lo'), textFrame(2, '.', usageText(9, 3))]
const ask = (rest: object = {}, init?: RequestInit) => ann.chat({ model: MODEL, ...rest }, init)

test('Spark: the URL has the signature of the recorded vector', () => {
  const config = { base_url: '', key: 'app|APISecretTest|APIKeyTest', at_ms: Date.UTC(2024, 5, 1) }
  const { protocol, host, pathname, searchParams } = new URL(providerOf(type)!.apis.chat!.url(config, MODEL, true, {}))
  expect([protocol, host, pathname]).toEqual(['wss:', 'spark-api.xf-yun.com', '/v3.5/chat'])
  expect(Object.fromEntries(searchParams)).toEqual({
    authorization:
      'YXBpX2tleT0iQVBJS2V5VGVzdCIsIGFsZ29yaXRobT0iaG1hYy1zaGEyNTYiLCBoZWFkZXJzPSJob3N0IGRhdGUgcmVxdWVzdC1saW5lIiwgc2lnbmF0dXJlPSJxN2VmOU9RU0s1UjRSSlJ3aVgwZVpyRGRkdU4zN3VLbGtNWEh6bWVweW9JPSI=',
    date: 'Sat, 01 Jun 2024 00:00:00 GMT',
    host: 'spark-api.xf-yun.com',
  })
})

test.each([
  ['', 'wss://spark-api.xf-yun.com/v3.5/chat', 'https://spark-api-open.xf-yun.com/v1/chat/completions'],
  ['wss://a.example', 'wss://a.example/v3.5/chat', 'https://a.example/v1/chat/completions'],
  ['ws://a.example:8080', 'ws://a.example:8080/v3.5/chat', 'http://a.example:8080/v1/chat/completions'],
  ['http://a.example', 'ws://a.example/v3.5/chat', 'http://a.example/v1/chat/completions'],
  [
    'wss://spark-api.xf-yun.com/v4.0/chat',
    'wss://spark-api.xf-yun.com/v3.5/chat',
    'https://spark-api-open.xf-yun.com/v1/chat/completions',
  ],
  [
    'https://spark-api-open.xf-yun.com/v1',
    'wss://spark-api.xf-yun.com/v3.5/chat',
    'https://spark-api-open.xf-yun.com/v1/chat/completions',
  ],
])('base URL %p leads to %s, and to %s over HTTP', (base_url, socket, http) => {
  expect([socketUrl({ base_url, key }, MODEL), httpUrl({ base_url, key }, MODEL)]).toEqual([socket, http])
})

test.each([
  ['x1', 'wss://spark-api.xf-yun.com/v1/x1', 'https://spark-api-open.xf-yun.com/v2/chat/completions'],
  ['spark-x', 'wss://spark-api.xf-yun.com/v1/x1', 'https://spark-api-open.xf-yun.com/v2/chat/completions'],
  ['SparkDesk-v9.1', 'wss://spark-api.xf-yun.com/v9.1/chat', 'https://spark-api-open.xf-yun.com/v1/chat/completions'],
  [
    'kjwx',
    'wss://spark-openapi-n.cn-huabei-1.xf-yun.com/v1.1/chat_kjwx',
    'https://spark-openapi-n.cn-huabei-1.xf-yun.com/v1/chat/completions',
  ],
  [
    'tuned@7',
    'wss://maas-api.cn-huabei-1.xf-yun.com/v1.1/chat',
    'https://maas-api.cn-huabei-1.xf-yun.com/v1/chat/completions',
  ],
])('model %s has its own addresses', (model, socket, http) => {
  const config = { base_url: '', key }
  expect([socketUrl(config, model), httpUrl(config, model)]).toEqual([socket, http])
})

describe('a channel', () => {
  test.each(['app|secret', 'app|secret|key|more', 'app||key', '|secret|key', 'app|secret|'])(
    'key %p is refused with its form',
    async wrong => {
      const answer = await (await setUp()).post('/api/channel/', { name: 'c', ...fields, key: wrong })
      expect(answer).toMatchObject({ success: false, code: 'channel.key_parts' })
      expect(answer.message).toContain('APPID|APISecret|APIKey')
    },
  )

  test('a WebSocket address is a base URL of Spark alone', async () => {
    const base_url = 'wss://spark-api.xf-yun.com'
    expect(await channelTo(base_url, fields)).toMatchObject({ base_url })
    const other = await (await setUp()).post('/api/channel/', {
      name: 'c',
      type: 1,
      key: 'sk-1',
      models: 'm',
      base_url,
    })
    expect(other).toMatchObject({ success: false, code: 'channel.base_url_invalid' })
  })

  test('a channel test goes over a socket', async () => {
    const { id } = await channelTo(upstream.url, fields)
    upstream.plays(socket => send(socket, ...hello))
    expect(await (await setUp()).get(`/api/channel/test/${id}`)).toMatchObject({ success: true })
    await until(() => upstream.open === 0)
  })
})

describe('requests that no socket carries', () => {
  test.each([
    ['a picture', [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }], 'images'],
    [
      'a document',
      [{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } }],
      'documents',
    ],
  ])('%s is refused before a socket opens', async (_, content, words) => {
    await channelTo(upstream.url, fields)
    const opened = upstream.urls.length
    const error = await errorOf(await ask({ messages: [{ role: 'user', content }] }))
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining(words) })
    expect(upstream.urls.length).toBe(opened)
  })

  test('tools of a fine-tuned model are refused', async () => {
    await channelTo(upstream.url, { ...fields, models: 'tuned@7' })
    const tools = [{ type: 'function', function: { name: 'f' } }]
    expect(await errorOf(await ask({ model: 'tuned@7', tools }))).toMatchObject({
      ...{ status: 400, message: expect.stringContaining('calls no functions') },
    })
  })
})
