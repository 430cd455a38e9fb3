// @engine sqlite
/** Sockets to iFlytek Spark: how they end, how many there are, by which route they go, what is never shown of them. */
import { beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { connect } from 'node:net'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { shiftClock, skipTime } from '../../src/process/clock.ts'
import { app } from '../support/app/app.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { setEnv } from '../support/env.ts'
import { type Client, chatBody, client } from '../support/people/client.ts'
import { readStream } from '../support/people/responses.ts'
import { until } from '../support/until.ts'
import { channelNow } from '../support/upstream/channel.ts'
import { listen } from '../support/upstream/http-server.ts'
import { httpProxy, type NotedProxy, socksProxy } from '../support/upstream/proxies.ts'
import { channelTo, deleteChannels } from '../support/upstream/served-channel.ts'
import { errorFrame, type SparkSocket, sparkUpstream, textFrame, usageText } from '../support/upstream/spark.ts'
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
const contentOf = async (response: Response) => (await response.json()).choices[0].message.content
const ask = (rest: object = {}, init?: RequestInit) => ann.chat({ model: MODEL, ...rest }, init)

const endings: [name: string, script: (socket: SparkSocket) => unknown][] = [
  ['with 1000', socket => socket.close(1000)],
  ['with 1011', socket => socket.close(1011)],
  ['without a word', socket => socket.terminate()],
]

describe.each(endings)('a socket that closes %s', (_, close) => {
  test('before the answer: another channel serves', async () => {
    await setOption('RetryTimes', 1)
    await channelTo(upstream.url, { ...fields, priority: 9 })
    const other = await sparkUpstream(server)
    other.plays(socket => send(socket, ...hello))
    await channelTo(other.url, fields)
    upstream.plays(close)
    expect(await contentOf(await ask())).toBe('Hello.')
    expect((await readStream(await ask({ stream: true }))).text).toBe('Hello.')
    other.stop()
  })

  test('within the answer: the call fails, and a stream breaks', async () => {
    await channelTo(upstream.url, fields)
    upstream.plays(socket => {
      send(socket, textFrame(0, 'Hel'))
      setTimeout(() => close(socket), 20)
    })
    expect((await ask()).status).toBe(502)
    expect(await readStream(await ask({ stream: true }))).toMatchObject({ text: 'Hel', done: false })
  })

  test('after the answer: nothing is lost', async () => {
    await channelTo(upstream.url, fields)
    upstream.plays(socket => {
      send(socket, ...hello)
      close(socket)
    })
    expect(await contentOf(await ask())).toBe('Hello.')
    expect(await readStream(await ask({ stream: true }))).toMatchObject({ text: 'Hello.', done: true })
  })
})

describe('messages of a socket', () => {
  test('frames of a megabyte arrive whole', async () => {
    await channelTo(upstream.url, fields)
    const long = 'ä'.repeat(524_288)
    upstream.plays(socket => send(socket, textFrame(0, long), textFrame(2, long, usageText(9, 3))))
    expect(await contentOf(await ask())).toBe(long + long)
    expect((await readStream(await ask({ stream: true }))).text).toBe(long + long)
  })

  test.each([
    ['binary', (socket: SparkSocket) => socket.send(Buffer.from(JSON.stringify(hello[0])))],
    ['no JSON', (socket: SparkSocket) => socket.send('hello')],
    ['an empty object', (socket: SparkSocket) => socket.send('{}')],
    ['a list', (socket: SparkSocket) => socket.send('[1]')],
  ])('a message that is %s fails the call and closes the socket', async (_, script) => {
    await channelTo(upstream.url, fields)
    upstream.plays(script)
    expect((await ask()).status).toBe(502)
    expect((await ask({ stream: true })).status).toBe(502)
    await until(() => upstream.open === 0)
    expect((await logsOf(ann.person)).every(({ quota }: any) => quota === 0)).toBe(true)
  })

  test('a socket that falls silent is a timeout, and is closed', async () => {
    await channelTo(upstream.url, fields)
    upstream.plays(() => {})
    const restore = setEnv({ STREAM_IDLE_TIMEOUT: 0.2 })
    expect([(await ask()).status, (await ask({ stream: true })).status]).toEqual([504, 504])
    restore()
    await until(() => upstream.open === 0)
  })

  test('an error after the first frame ends the stream with the error', async () => {
    await channelTo(upstream.url, fields)
    upstream.plays(socket => send(socket, textFrame(0, 'Hel'), errorFrame(11203, 'too many')))
    const { text, error, done } = await readStream(await ask({ stream: true }))
    expect([text, error.code, done]).toEqual(['Hel', 'upstream_saturated', false])
    expect((await ask()).status).toBe(429)
  })
})

const MINUTE = 60

test.each([
  [4, 200, ChannelStatus.enabled],
  [6, 502, ChannelStatus.enabled],
  [-6, 502, ChannelStatus.enabled],
])('a clock that is %d minutes off has status %d and costs no key', async (minutes, status, kept) => {
  const { id } = await channelTo(upstream.url, fields)
  upstream.plays(socket => send(socket, ...hello))
  shiftClock(minutes * MINUTE)
  try {
    const response = await ask()
    expect([response.status, (await channelNow(id as number)).status]).toEqual([status, kept])
    if (status !== 200) expect(upstream.refusals.at(-1)).toBe(403)
  } finally {
    shiftClock(-minutes * MINUTE)
  }
})

test('a wrong secret is refused by the handshake and disables the channel', async () => {
  const { id } = await channelTo(upstream.url, { ...fields, key: `${key}x` })
  expect((await ask()).status).toBe(502)
  expect(upstream.refusals.at(-1)).toBe(401)
  expect((await channelNow(id as number)).status).toBe(ChannelStatus.autoDisabled)
})

const SOCKETS = 500

/** Of the test's own process, `fetch` would send only 256 requests at a time. @returns the whole response as text */
function rawChat(stream: boolean): Promise<string> {
  const { hostname, port } = new URL(ann.url)
  const body = JSON.stringify(chatBody({ model: MODEL, stream }))
  const lines = [
    ...['POST /v1/chat/completions HTTP/1.1', `host: ${hostname}`, `authorization: Bearer sk-${ann.key}`],
    ...['content-type: application/json', `content-length: ${body.length}`, 'connection: close', '', body],
  ]
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(lines.join('\r\n')))
    socket.on('data', data => {
      text += data
      if (text.endsWith('0\r\n\r\n') || text.endsWith('}')) socket.end()
    })
    socket.on('close', () => resolve(text)).on('error', reject)
  })
}

test('five hundred sockets at once are all answered', async () => {
  await channelTo(upstream.url, fields)
  const waiting: SparkSocket[] = []
  let most = 0
  upstream.plays(socket => {
    waiting.push(socket)
    most = Math.max(most, upstream.open)
    if (waiting.length === SOCKETS) for (const each of waiting) send(each, ...hello)
  })
  const answers = await Promise.all(Array.from({ length: SOCKETS }, (_, at) => rawChat(at % 2 === 0)))
  const isWhole = (text: string, at: number) => text.includes(at % 2 ? '"content":"Hello."' : 'data: [DONE]')
  expect(answers.filter(isWhole)).toHaveLength(SOCKETS)
  expect(most).toBe(SOCKETS)
  await until(() => upstream.open === 0)
})

const LEAVERS = 100
const rest = [textFrame(1, 'lo'), textFrame(2, '.', usageText(900, 100))]

/** Leaves once every socket has been asked. @returns the sockets */
async function leave(stream: boolean, frames: object[]): Promise<SparkSocket[]> {
  const sockets: SparkSocket[] = []
  upstream.plays(socket => {
    sockets.push(socket)
    send(socket, ...frames)
  })
  const abort = new AbortController()
  const calls = Array.from({ length: LEAVERS }, () => ask({ stream }, { signal: abort.signal }).catch(() => undefined))
  await until(() => sockets.length === LEAVERS)
  if (stream && frames.length) await Promise.all(calls)
  abort.abort()
  await Promise.all(calls)
  await until(() => app.server!.pendingRequests === 0)
  return sockets
}

const spent = async () => {
  const { request_count, used_quota } = (await ann.person.get('/api/user/self')).data
  return request_count === LEAVERS && used_quota
}

const leavings: [name: string, stream: boolean, frames: object[]][] = [
  ['a stream', true, [hello[0]!]],
  ['a whole response', false, [hello[0]!]],
  ['a stream that has not begun', true, []],
]

test.each(leavings)('sockets are read to their last frame when their callers leave: %s', async (_, stream, frames) => {
  await channelTo(upstream.url, fields)
  const sockets = await leave(stream, frames)
  expect(upstream.open).toBe(LEAVERS)
  for (const socket of sockets) send(socket, ...rest)
  expect(await until(spent)).toBe(LEAVERS * (900 + 100))
  await until(() => upstream.open === 0)
})

test.each(leavings)(
  'sockets that fall silent are closed when their callers have left: %s',
  async (_, stream, frames) => {
    await channelTo(upstream.url, fields)
    await leave(stream, frames)
    skipTime(10)
    await until(() => upstream.open === 0)
    expect(await until(spent)).toBeGreaterThan(LEAVERS)
  },
)

test('a socket that is not open yet is given up when its caller leaves, and the call is free', async () => {
  const [begun, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const mute = await listen(async (_, answer) => {
    begun.resolve()
    await answer.left
    gone.resolve()
  })
  await channelTo(`http://127.0.0.1:${mute.port}`, fields)
  const before = await ann.balance()
  const abort = new AbortController()
  const call = ask({ stream: true }, { signal: abort.signal }).catch(() => undefined)
  await begun.promise
  abort.abort()
  await gone.promise
  await call
  await until(() => app.server!.pendingRequests === 0)
  expect([await ann.balance(), await logsOf(ann.person)]).toEqual([before, []])
  mute.stop()
})

test.each<[string, (url: string) => Promise<NotedProxy>]>([
  ['HTTP', httpProxy],
  ['SOCKS5', socksProxy],
])('sockets go by the channel’s proxy of %s', async (_, open) => {
  const proxy = await open(upstream.url)
  await channelTo('http://far-away.invalid', { ...fields, setting: JSON.stringify({ proxy: proxy.url }) })
  upstream.plays(socket => send(socket, ...hello))
  expect(await contentOf(await ask())).toBe('Hello.')
  expect(await readStream(await ask({ stream: true }))).toMatchObject({ text: 'Hello.', done: true })
  expect(proxy.targets[0]).toMatch(/^far-away\.invalid(:80)?$/)
  expect(upstream.urls.at(-1)).toContain('far-away.invalid')
})

test('neither URL nor key is shown in errors, logs or the process log', async () => {
  setEnv({ LOG_LEVEL: 'debug' })
  const lines = spyOn(process.stderr, 'write').mockImplementation(() => true)
  try {
    await channelTo(upstream.url, fields)
    const secrets = key.split('|').slice(1) as string[]
    upstream.plays(socket => {
      const url = upstream.urls.at(-1)!
      const authorization = new URL(url).searchParams.get('authorization')
      send(socket, errorFrame(10163, `bad ${url} of ${secrets.join(' and ')}, ${authorization}`))
    })
    const shown = [await (await ask()).text(), await (await ask({ stream: true })).text()]
    upstream.plays(socket => socket.terminate())
    shown.push(await (await ask()).text())
    shown.push(JSON.stringify(await logsOf(ann.person, 6)), JSON.stringify(lines.mock.calls))
    const signed = upstream.urls.map(url => new URL(url).searchParams.get('authorization')!)
    const hidden = [...secrets, ...signed, ...secrets.map(encodeURIComponent), 'authorization=']
    expect(hidden.filter(secret => shown.some(text => text.includes(secret)))).toEqual([])
  } finally {
    lines.mockRestore()
  }
})
