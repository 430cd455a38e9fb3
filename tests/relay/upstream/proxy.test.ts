// @engine sqlite
/** Channels behind a proxy. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, MODEL } from '../../support/people/client.ts'
import { errorOf, readStream } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { httpProxy, type NotedProxy, silentProxy, socksProxy } from '../../support/upstream/proxies.ts'
import { realtimeUpstream } from '../../support/upstream/realtime.ts'
import { channelTo, deleteChannels, served, startUpstream } from '../../support/upstream/served-channel.ts'

let ann: Client
beforeEach(async () => {
  await setOption('RetryTimes', 1)
  await deleteChannels()
  ann = await client()
})

const kinds: [string, (upstream: string) => Promise<NotedProxy>][] = [
  ['HTTP', httpProxy],
  ['SOCKS5', socksProxy],
]

describe.each(kinds)('a proxy that speaks %s', (_, open) => {
  /** A host that nobody but the proxy can reach. */
  const HOST = 'far-away.invalid'

  async function behind(proxyUrl: (proxy: NotedProxy) => string) {
    const upstream = await startUpstream(chat({ text: 'from far away' }), MODEL)
    const proxy = await open(upstream.url)
    await channelTo(`http://${HOST}`, { setting: JSON.stringify({ proxy: proxyUrl(proxy) }), priority: 9 })
    return { upstream, proxy }
  }

  test('calls use its name and password and keep its connections', async () => {
    const { upstream, proxy } = await behind(({ url }) => url)
    for (let turn = 0; turn < 5; turn++) expect((await ann.chat()).status).toBe(200)
    expect(await readStream(await ann.stream())).toMatchObject({ text: 'from far away', done: true })
    expect(upstream.journal).toHaveLength(6)
    expect(upstream.violations).toEqual([])
    expect(proxy.connections).toBeLessThan(4)
    expect(proxy.targets[0]).toMatch(new RegExp(`^${HOST}(:80)?$`))
    expect(JSON.stringify(upstream.journal[0]!.headers)).toContain('sk-upstream')
  })

  test('realtime sessions pass through the proxy', async () => {
    const model = 'gpt-4o-realtime-preview'
    const upstream = realtimeUpstream()
    const proxy = await open(upstream.url)
    await channelTo(`http://${HOST}`, { models: model, setting: JSON.stringify({ proxy: proxy.url }) })
    const headers = { authorization: `Bearer sk-${ann.key}` }
    const address = `${ann.url.replace('http', 'ws')}/v1/realtime?model=${model}`
    const socket = new WebSocket(address, { headers } as never)
    const said = await new Promise<string>((resolve, reject) => {
      socket.onmessage = ({ data }) => resolve(String(data))
      socket.onerror = event => reject(new Error((event as ErrorEvent).message))
    })
    expect(said).toContain('session.created')
    expect(proxy.targets[0]).toMatch(new RegExp(`^${HOST}(:80)?$`))
    const [session] = upstream.sessions
    expect(session!.url.search).toBe(`?model=${model}`)
    expect([session!.headers.get('host'), session!.headers.get('authorization')]).toEqual([HOST, 'Bearer sk-upstream'])
    socket.close()
    await until(() => session!.closed)
    upstream.stop()
  })

  test.each([
    ['does not take the password', ({ url }: NotedProxy) => url.replace('p%3Aw', 'wrong')],
    ['gets a user name of more than 255 bytes', ({ url }: NotedProxy) => url.replace('me%40home', 'x'.repeat(300))],
    ['wants a password', ({ address }: NotedProxy) => address],
    ['is not there', () => 'socks5://127.0.0.1:1'],
  ])('a proxy that %s fails over without revealing itself', async (_name, url) => {
    const { upstream } = await behind(url)
    expect(await errorOf(await ann.chat())).toMatchObject({
      status: 502,
      message: expect.not.stringMatching(/127\.0|me@|far-away/),
    })
    await served(chat())
    expect((await ann.chat()).status).toBe(200)
    expect(upstream.journal).toEqual([])
  })
})

test('a silent SOCKS5 proxy times out, and another channel serves', async () => {
  const silent = await silentProxy()
  await channelTo('http://far-away.invalid', { setting: JSON.stringify({ proxy: silent.address }), priority: 9 })
  await served(chat())
  expect((await ann.chat()).status).toBe(200)
  await until(() => silent.open === 0)
  expect(silent.connections).toBeGreaterThan(0)
})
