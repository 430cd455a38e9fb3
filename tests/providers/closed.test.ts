// @engine sqlite
/** The tokens of Baidu Wenxin, a service that has ended, and its errors. */
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { setEnv } from '../support/env.ts'
import { type Client, client, MODEL, RICH } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { openCall, readToEnd, statusIn } from '../support/people/raw-call.ts'
import { readStream } from '../support/people/responses.ts'
import { BAIDU_USAGE, baidu, channelToBaidu } from '../support/upstream/baidu.ts'
import { channelNow } from '../support/upstream/channel.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

let ann: Client
beforeEach(async () => {
  baidu.reset()
  await setOption('RetryTimes', 0)
  await deleteChannels()
  ann = await client()
})
afterEach(() => setOption('AutomaticDisableChannelEnabled', false))

test('1,000 first calls at once on a cold Baidu key make exactly 1 token request', async () => {
  await channelToBaidu()
  const { url, key } = await client({}, 20 * RICH)
  const sockets = Array.from({ length: 1000 }, () => openCall(url, key, { model: MODEL, max_tokens: 5 }))
  const received = await Promise.all(sockets.map(readToEnd))
  const arrived = received.map(statusIn).filter(Boolean)
  expect(new Set(arrived)).toEqual(new Set([200]))
  expect([baidu.grants, baidu.calls]).toEqual([1, arrived.length])
  expect(arrived.length).toBeGreaterThan(900)
}, 120_000)

test('a channel test with a token that has ended earns another', async () => {
  const { id } = await channelToBaidu()
  const root = await setUp()
  expect(await root.get(`/api/channel/test/${id}`)).toMatchObject({ success: true })
  baidu.tokens.clear()
  expect(await root.get(`/api/channel/test/${id}`)).toMatchObject({ success: true })
  expect(baidu.grants).toBe(2)
})

const failures: [name: string, grant: () => Response, fatal: boolean][] = [
  [
    '400 of OAuth',
    () => Response.json({ error: 'invalid_client', error_description: 'unknown client id' }, { status: 400 }),
    true,
  ],
  ['400 of something else', () => Response.json({ error: 'invalid_request' }, { status: 400 }), false],
  ['HTML', () => new Response('<html>Down</html>', { headers: { 'content-type': 'text/html' } }), false],
  ['nothing', () => new Response(), false],
  ['no object', () => Response.json(null), false],
  ['a life of 0', () => baidu.granted(0), false],
  ['a life below 0', () => baidu.granted(-5), false],
  ['a life without number', () => Response.json({ access_token: 'a', expires_in: 'soon' }), false],
  ['a token without text', () => Response.json({ access_token: 7, expires_in: 60 }), false],
  ['429', () => new Response('', { status: 429 }), false],
  ['500', () => new Response('', { status: 500 }), false],
]

describe.each(failures)('a token endpoint that answers %s', (name, grant, fatal) => {
  test('fails over to another channel', async () => {
    baidu.grant = grant
    await setOption('RetryTimes', 1)
    await channelToBaidu({ priority: 9 })
    const other = await served(chat({ text: 'from another', usage: BAIDU_USAGE }))
    const response = (await (await ann.chat()).json()) as any
    expect(response.choices[0].message.content).toBe('from another')
    expect(await readStream(await ann.stream())).toMatchObject({ text: 'from another', done: true })
    expect([baidu.calls, other.calls()]).toEqual([0, 2])
  })

  test('alone is an error that bills nothing and shows no key', async () => {
    baidu.grant = grant
    await setOption('AutomaticDisableChannelEnabled', true)
    const { id } = await channelToBaidu()
    const response = await ann.chat()
    const text = await response.text()
    expect(response.status).toBe(name === '429' ? 429 : 502)
    expect(text).not.toMatch(/0123456789|9876543210|oauth|token-\d/)
    expect(await ann.balance()).toBe(RICH)
    expect((await channelNow(id)).status).toBe(fatal ? 3 : 1)
  })
})

test('a token in an error or a broken connection is never shown: client, log, console, test, process log', async () => {
  await setOption('LogErrorEnabled', true)
  setEnv({ LOG_LEVEL: 'debug' })
  const write = spyOn(process.stderr, 'write').mockImplementation(() => true)
  try {
    const { id } = await channelToBaidu()
    const url = `${baidu.url}/rpc/2.0/x?access_token=`
    baidu.script = token => ({
      error_code: 336_003,
      error_msg: `bad ${token} ${encodeURIComponent(token)} at ${url}${token}`,
    })
    const texts = [await (await ann.chat()).text(), await (await ann.stream()).text()]
    const root = await setUp()
    for (const path of [`/api/channel/test/${id}`, `/api/channel/${id}`, '/api/log/', `/admin/channels/${id}/report`])
      texts.push(await (await root.fetch(path)).text())
    texts.push(JSON.stringify(await logsOf(ann.person)), JSON.stringify(write.mock.calls))
    expect(texts[0]).toContain('bad ***')
    expect(texts.filter(text => /24\.token|9876543210|access_token=24/.test(text))).toEqual([])
  } finally {
    write.mockRestore()
  }
})

const codes: [code: number, status: number, closes: boolean][] = [
  ...[4, 17, 18, 19, 336_100].map(code => [code, 429, false] as [number, number, boolean]),
  ...[13, 14, 110, 111].map(code => [code, 502, true] as [number, number, boolean]),
  ...[100, 336_001, 336_003, 336_007, 336_103, 336_104, 336_105, 336_301].map(
    code => [code, 400, false] as [number, number, boolean],
  ),
  ...[1, 2, 3, 6, 15, 336_000, 999_999].map(code => [code, 502, false] as [number, number, boolean]),
]
test.each(codes)(
  'Wenxin: error %d inside a 200 becomes %d, whole and streamed, and is free',
  async (code, status, closes) => {
    await setOption('AutomaticDisableChannelEnabled', true)
    baidu.script = () => ({ error_code: code, error_msg: 'refused', id: 'as-1' })
    const { id } = await channelToBaidu()
    expect((await ann.chat()).status).toBe(status)
    expect((await channelNow(id)).status).toBe(closes ? 3 : 1)
    await deleteChannels()
    await channelToBaidu()
    expect((await ann.stream()).status).toBe(status)
    expect(await ann.balance()).toBe(RICH)
  },
)
