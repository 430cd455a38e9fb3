/** Channels whose address an administrator has entered: the own network stays out of reach until root opens it. */
import { beforeEach, describe, expect, spyOn, test } from 'bun:test'
import dns from 'node:dns/promises'
import { Role } from '../../../src/contracts/account.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { setEnv } from '../../support/env.ts'
import { type Client, client, MODEL } from '../../support/people/client.ts'
import { setUp, visitor } from '../../support/people/person.ts'
import { errorOf, readStream } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { makeChannel, storedChannel } from '../../support/upstream/channel.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { httpProxy, type NotedProxy, socksProxy } from '../../support/upstream/proxies.ts'
import { realtimeUpstream } from '../../support/upstream/realtime.ts'
import { channelTo, deleteChannels, startUpstream } from '../../support/upstream/served-channel.ts'

const HOST = 'inside.example'
const TALKER = 'gpt-4o-realtime-preview'
const OPENED = { OUTBOUND_ALLOW: ['127.0.0.0/8'] }

const root = await setUp()
const admin = await visitor(Role.admin)
const upstream = await startUpstream(chat({ text: 'from inside' }))
const port = new URL(upstream.url).port
const lookup = spyOn(dns, 'lookup')
const resolving = (...addresses: string[]) =>
  lookup.mockImplementation((async () => addresses.map(address => ({ address, family: 4 }))) as never)

let ann: Client
beforeEach(async () => {
  await setOption('RetryTimes', 0)
  await deleteChannels()
  resolving('127.0.0.1')
  upstream.journal.length = 0
  ann = await client()
})

const byName = { key: 'sk-upstream', base_url: `http://${HOST}:${port}`, models: `${MODEL},tts-1` }

describe('saving', () => {
  test.each([
    ...[`http://127.0.0.1:${port}`, `http://127.1:${port}`, 'http://2130706433', 'http://localhost:11434'],
    ...['http://[::1]/', 'https://10.1.2.3', 'http://192.168.0.9:8000', 'http://169.254.169.254', 'http://a.localhost'],
  ])('an administrator cannot enter %s as a base URL, root can', async base_url => {
    const fields = { name: 'inside', key: 'sk-upstream', models: MODEL, base_url }
    const refusal = { status: 400, success: false, code: 'channel.base_url_private', field: 'base_url' }
    expect(await admin.post('/api/channel/', fields)).toMatchObject(refusal)
    const { id } = await makeChannel(root, { base_url })
    expect(await storedChannel(id)).toMatchObject({ guarded: false })
    const own = await makeChannel(admin, { base_url: 'https://api.example' })
    expect(await admin.put('/api/channel/', { id: own.id, base_url, key: 'sk-new-key' })).toMatchObject(refusal)
    expect(await storedChannel(own.id)).toMatchObject({ base_url: 'https://api.example', guarded: true })
    setEnv({ OUTBOUND_ALLOW: ['0.0.0.0/0', '::/0'] })
    expect(await admin.post('/api/channel/', fields)).toMatchObject({ success: true })
  })

  test('an administrator cannot enter a private proxy, nor a type whose default address is private', async () => {
    const setting = JSON.stringify({ proxy: 'socks5://192.168.1.1:1080' })
    const fields = { name: 'inside', key: 'sk-upstream', models: MODEL }
    expect(await admin.post('/api/channel/', { ...fields, setting })).toMatchObject({ status: 400, field: 'setting' })
    expect(await admin.post('/api/channel/', { ...fields, type: 4 })).toMatchObject({ status: 400, field: 'base_url' })
  })

  test('the drawer shows the refusal at the base URL, and only root has the switch of the guard', async () => {
    const base_url = 'http://127.0.0.1:9'
    const form = {
      name: 'inside',
      type: '1',
      key: 'sk-upstream',
      models: MODEL,
      base_url,
      'group[]': ['default'],
      priority: '0',
      weight: '0',
    }
    const shown = await admin.form('/admin/channels?new', form)
    expect([shown.status, (await shown.text()).includes('own network is refused')]).toEqual([422, true])
    const hasSwitch = async ({ page }: typeof root) =>
      /name="guarded"/.test(await (await page('/admin/channels?new=')).text())
    expect([await hasSwitch(root), await hasSwitch(admin)]).toEqual([true, false])
    expect((await root.form('/admin/channels?new', { ...form, guarded: '1' })).status).toBe(303)
    const { data } = await root.get('/api/channel/')
    expect(await storedChannel(data[0].id)).toMatchObject({ base_url, guarded: true })
    const edited = await root.form(`/admin/channels/${data[0].id}`, {
      ...form,
      was: JSON.stringify({ ...form, guarded: 'true' }),
    })
    expect([edited.status, (await storedChannel(data[0].id)).guarded]).toEqual([303, false])
  })

  test("an administrator's move guards a channel of root, another edit does not", async () => {
    const { id } = await channelTo(upstream)
    await admin.put('/api/channel/', { id, priority: 7, guarded: true })
    expect(await storedChannel(id)).toMatchObject({ guarded: false, priority: 7 })
    expect(await (await ann.chat()).status).toBe(200)
    await admin.put('/api/channel/', { id, base_url: byName.base_url, key: 'sk-upstream' })
    expect(await storedChannel(id)).toMatchObject({ guarded: true })
    expect((await ann.chat()).status).toBe(502)
    await admin.put('/api/channel/', { id, guarded: false })
    expect((await ann.chat()).status).toBe(502)
    await root.put('/api/channel/', { id, priority: 8 })
    expect((await ann.chat()).status).toBe(502)
  })
})

describe('a name that resolves to the own network', () => {
  test('is refused to calls, streams, files, tests, queries and sockets', async () => {
    await setOption('LogErrorEnabled', true)
    const { id } = await makeChannel(admin, { ...byName, models: `${MODEL},tts-1,${TALKER}` })
    const speech = { model: 'tts-1', input: 'hi', voice: 'alloy' }
    for (const response of [
      await ann.chat(),
      await ann.stream(),
      await ann.postTo('/v1/audio/speech', speech),
      await ann.get(`/v1/realtime?model=${TALKER}`, { upgrade: 'websocket', connection: 'Upgrade' }),
    ]) {
      expect(await errorOf(response)).toMatchObject({
        status: 502,
        message: expect.not.stringMatching(/127\.0|inside/),
      })
    }
    for (const path of ['test', 'fetch_models', 'update_balance']) {
      const { success, message } = await root.get(`/api/channel/${path}/${id}`)
      expect([path, success, /own network/.test(message)]).toEqual([path, false, true])
    }
    expect(upstream.journal).toEqual([])
    const [log] = await logsOf(ann.person, 6)
    expect(JSON.stringify(log?.other.admin_info ?? {})).toContain('own network')
  })

  test('is served once root lifts the guard or opens the range', async () => {
    const { id } = await makeChannel(admin, byName)
    expect((await ann.chat()).status).toBe(502)
    const restore = setEnv(OPENED)
    expect((await ann.chat()).status).toBe(200)
    restore()
    await root.put('/api/channel/', { id, guarded: false, base_url: upstream.url })
    expect((await ann.chat()).status).toBe(200)
  })
})

describe('a guarded connection', () => {
  beforeEach(() => void setEnv(OPENED))

  test('goes to the address that was checked and is kept for later calls', async () => {
    await makeChannel(admin, { ...byName, base_url: `http://once.example:${port}` })
    const before = lookup.mock.calls.length
    resolving('10.9.9.9')
    lookup.mockImplementationOnce((async () => [{ address: '127.0.0.1', family: 4 }]) as never)
    for (let turn = 0; turn < 4; turn++) expect((await ann.chat()).status).toBe(200)
    expect(await readStream(await ann.stream())).toMatchObject({ text: 'from inside', done: true })
    expect(lookup.mock.calls.length - before).toBe(1)
    expect(upstream.journal).toHaveLength(5)
    expect(JSON.stringify(upstream.journal[0]!.headers)).toContain('once.example')
  })

  test('is refused when one of several addresses is private', async () => {
    await makeChannel(admin, { ...byName, base_url: `http://twice.example:${port}` })
    resolving('127.0.0.1', '10.9.9.9')
    expect((await ann.chat()).status).toBe(502)
    expect(upstream.journal).toEqual([])
  })

  test('opens realtime sessions under the name of the host', async () => {
    const talking = realtimeUpstream()
    await makeChannel(admin, {
      ...byName,
      base_url: `http://talk.example:${new URL(talking.url).port}`,
      models: TALKER,
    })
    const socket = new WebSocket(`${ann.url.replace('http', 'ws')}/v1/realtime?model=${TALKER}`, {
      headers: { authorization: `Bearer sk-${ann.key}` },
    } as never)
    const first = await new Promise<string>((resolve, reject) => {
      socket.onmessage = ({ data }) => resolve(String(data))
      socket.onerror = event => reject(new Error((event as ErrorEvent).message))
    })
    expect(first).toContain('session.created')
    expect(talking.sessions[0]!.headers.get('host')).toStartWith('talk.example')
    socket.close()
    await until(() => talking.sessions[0]!.closed)
    talking.stop()
  })
})

const kinds: [string, (upstream: string) => Promise<NotedProxy>][] = [
  ['HTTP', httpProxy],
  ['SOCKS5', socksProxy],
]

describe.each(kinds)('a proxy by name that speaks %s', (kind, open) => {
  test('is refused in the own network, and used once the range is open', async () => {
    const proxy = await open(upstream.url)
    const named = proxy.url.replace('127.0.0.1', `proxy-${kind.toLowerCase()}.example`)
    await makeChannel(admin, { ...byName, base_url: 'http://far.example', setting: JSON.stringify({ proxy: named }) })
    expect(await errorOf(await ann.chat())).toMatchObject({ status: 502 })
    expect(proxy.connections).toBe(0)
    const restore = setEnv(OPENED)
    expect((await ann.chat()).status).toBe(200)
    expect(proxy.targets[0]).toStartWith('far.example')
    restore()
  })
})
