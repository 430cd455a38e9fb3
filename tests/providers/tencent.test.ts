// @engine sqlite
/** Tencent Hunyuan: signatures, forms of the key, a wrong clock, and the official client against the strict server. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { hunyuan } from 'tencentcloud-sdk-nodejs-hunyuan'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { shiftClock } from '../../src/process/clock.ts'
import { providerOf } from '../../src/providers/index.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { errorOf } from '../support/people/responses.ts'
import { channelNow } from '../support/upstream/channel.ts'
import { httpProxy } from '../support/upstream/proxies.ts'
import { channelTo, deleteChannels } from '../support/upstream/served-channel.ts'
import { type Json, strictProvider } from '../support/upstream/strict-provider.ts'
import { server } from './fixtures/tencent/server.ts'

const MODEL = 'hunyuan-lite'
const KEY = '1250000000|AKIDtencent0123456789|SecretTencent0123456789'
const signed = { type: 23, key: KEY }
const upstream = await strictProvider(server)
await setOption('ModelRatio', JSON.stringify({ [MODEL]: 1, 'hunyuan-embedding': 1 }))
await setOption('AutomaticDisableChannelEnabled', true)
await setOption('RetryTimes', 0)

const choice = { FinishReason: 'stop', Message: { Role: 'assistant', Content: 'Hello.' } }
const usage = { PromptTokens: 9, CompletionTokens: 3, TotalTokens: 12 }
const whole = { body: { Response: { RequestId: 'r', Id: 'i', Created: 1, Choices: [choice], Usage: usage } } }

let ann: Client
beforeEach(async () => {
  await deleteChannels()
  upstream.expects(signed, whole)
  ann = await client()
})

test('Tencent: a request has the signature of the recorded vector', () => {
  const body = '{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"hi"}],"Stream":false}'
  const body_sha256 = createHash('sha256').update(body).digest('hex')
  expect(body_sha256).toBe('c371332eb9f59f25b54b547b7e22c0729884f1924477e3ab60706930918936c5')
  const provider = providerOf(23)!
  const config = { base_url: '', key: '1|AKIDtest|SKtest', at_ms: 1_717_200_000_000 }
  const chat = provider.apis.chat!
  const headers = { 'content-type': 'application/json', ...chat.headers }
  expect(
    provider.sign!({ method: 'POST', url: chat.url(config, MODEL, false, {}), headers, body_sha256 }, config),
  ).toEqual({
    authorization:
      'TC3-HMAC-SHA256 Credential=AKIDtest/2024-06-01/hunyuan/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=5b202071b01734fbcaa458aa807d64bc59548a6c4a34a19f24247bbd3e56d2bc',
    'x-tc-timestamp': '1717200000',
  })
})

test('Tencent: the body of the recorded vector goes out byte for byte', async () => {
  await channelTo(upstream.url, { ...signed, models: MODEL })
  const messages = [{ role: 'user', content: 'hi' }]
  expect((await ann.chat({ model: MODEL, messages })).status).toBe(200)
  expect(upstream.received().body).toBe(
    '{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"hi"}],"Stream":false}',
  )
})

test('a body that is written in steps is signed with its own digest', async () => {
  await channelTo(upstream.url, { ...signed, models: MODEL })
  const content = 'ä'.repeat(400_000)
  expect((await ann.chat({ model: MODEL, messages: [{ role: 'user', content }] })).status).toBe(200)
  expect(upstream.violations()).toEqual([])
})

describe('a channel', () => {
  test.each(['1250000000|AKID', '1250000000|AKID|Secret|more', 'app|AKID|Secret', '1250000000||Secret', '1|AKID|'])(
    'key %p is refused with its form',
    async key => {
      const answer = await (await setUp()).post('/api/channel/', { name: 'c', type: 23, key, models: MODEL })
      expect(answer).toMatchObject({ success: false, code: 'channel.key_parts' })
      expect(answer.message).toContain('AppId|SecretId|SecretKey')
    },
  )

  test('a key of one part goes to TokenHub, unless the base URL is of another host', () => {
    const provider = providerOf(23)!
    const urlFor = (base_url: string) => {
      const config = { base_url, key: 'sk-1' }
      return provider.variant!({ operation: 'chat', model: 'hy3', config })!.apis.chat!.url(config, 'hy3', false, {})
    }
    const own = 'https://tokenhub.tencentmaas.com/v1/chat/completions'
    expect(['', 'https://hunyuan.tencentcloudapi.com', provider.presets![0]!.base_url].map(urlFor)).toEqual([
      own,
      own,
      own,
    ])
    expect(urlFor(provider.presets![1]!.base_url)).toBe(
      'https://tokenhub-intl.tencentcloudmaas.com/v1/chat/completions',
    )
    expect(urlFor('https://a.example')).toBe('https://a.example/v1/chat/completions')
  })

  test('a channel test is signed', async () => {
    const { id } = await channelTo(upstream.url, { ...signed, models: MODEL })
    expect(await (await setUp()).get(`/api/channel/test/${id}`)).toMatchObject({ success: true })
    expect(upstream.violations()).toEqual([])
  })
})

const MINUTE = 60

test.each([4, 6, -6])('a clock that is %d minutes off costs no key', async minutes => {
  const { id } = await channelTo(upstream.url, { ...signed, models: MODEL })
  shiftClock(minutes * MINUTE)
  try {
    const response = await ann.chat({ model: MODEL })
    const isRefused = Math.abs(minutes) > 5
    expect(response.ok).toBe(!isRefused)
    expect(upstream.violations()).toEqual(isRefused ? ['AuthFailure.SignatureExpire'] : [])
    expect((await channelNow(id as number)).status).toBe(ChannelStatus.enabled)
  } finally {
    shiftClock(-minutes * MINUTE)
  }
})

test('fifty-one inputs go out in two requests', async () => {
  await channelTo(upstream.url, { ...signed, models: 'hunyuan-embedding' })
  const Data = [{ Embedding: [0.5], Index: 0, Object: 'embedding' }]
  upstream.expects(signed, { body: { Response: { Data, Usage: { PromptTokens: 2, TotalTokens: 2 } } } })
  const input = Array.from({ length: 51 }, (_, at) => `text ${at}`)
  const response = await ann.postTo('/v1/embeddings', { model: 'hunyuan-embedding', input })
  expect(upstream.violations()).toEqual([])
  expect((await response.json()).usage.prompt_tokens).toBe(4)
})

test.each([
  ['audio', [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }], 'audio'],
  [
    'a document',
    [{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } }],
    'documents',
  ],
])('%s is refused and costs nothing', async (_, content, words) => {
  await channelTo(upstream.url, { ...signed, models: MODEL })
  const error = await errorOf(await ann.chat({ model: MODEL, messages: [{ role: 'user', content }] }))
  expect(error).toMatchObject({ status: 400, message: expect.stringContaining(words) })
  expect(upstream.received()).toBeUndefined()
  expect((await logsOf(ann.person)).every(({ quota }: Json) => quota === 0)).toBe(true)
})

describe('the official client', () => {
  const [, secretId, secretKey] = KEY.split('|')
  /** It signs the name of the service that the host begins with: the proxy leads that host to the strict server. */
  const sdk = async (secret = secretKey) => {
    const { url: proxy } = await httpProxy(upstream.url)
    const profile = { httpProfile: { protocol: 'http://', proxy } }
    return new hunyuan.v20230901.Client({ credential: { secretId, secretKey: secret }, region: '', profile })
  }
  const question = { Model: MODEL, Messages: [{ Role: 'user', Content: 'hi' }] }

  test('the official client gets a chat from the strict server', async () => {
    expect(await (await sdk()).ChatCompletions({ ...question, Stream: false })).toMatchObject({ Choices: [choice] })
    expect(upstream.violations()).toEqual([])
  })

  test('the official client gets a stream from the strict server', async () => {
    const event = { Id: 'i', Choices: [{ FinishReason: 'stop', Delta: { Role: 'assistant', Content: 'Hello.' } }] }
    // The client compares the whole media type.
    upstream.expects(signed, { events: [event], headers: { 'content-type': 'text/event-stream' } })
    const stream = (await (await sdk()).ChatCompletions({ ...question, Stream: true })) as unknown as AsyncIterable<{
      data: string
    }>
    const events: unknown[] = []
    for await (const { data } of stream) events.push(JSON.parse(data))
    expect(events).toEqual([event])
    expect(upstream.violations()).toEqual([])
  })

  test('the official client gets embeddings from the strict server', async () => {
    const Data = [{ Embedding: [0.5], Index: 0, Object: 'embedding' }]
    upstream.expects(signed, {
      body: { Response: { Data, Usage: { PromptTokens: 1, TotalTokens: 1 }, RequestId: 'r' } },
    })
    expect(await (await sdk()).GetEmbedding({ InputList: ['a', 'b'] })).toMatchObject({ Data })
    expect(upstream.violations()).toEqual([])
  })

  test('the official client is refused with another secret', async () => {
    const client = await sdk('other')
    await client.ChatCompletions({ ...question, Stream: false }).catch(() => {})
    expect(upstream.violations()).toEqual(['AuthFailure.SignatureFailure'])
  })
})
