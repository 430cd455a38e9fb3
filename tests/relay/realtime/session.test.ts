/** Realtime sessions: authentication, metering of turns, one bill at the end. */
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { type AddressInfo, connect, createServer } from 'node:net'
import { HOP_HEADER } from '../../../src/contracts/relay.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { visitor } from '../../support/people/person.ts'
import { dial, REALTIME_MODEL as MODEL } from '../../support/people/realtime-client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { realtimeUpstream } from '../../support/upstream/realtime.ts'
import { channelTo } from '../../support/upstream/served-channel.ts'

const upstream = realtimeUpstream()
afterAll(() => upstream.stop())
await channelTo(upstream.url, { models: MODEL })

const usage = (text_in: number, audio_in: number, text_out: number, audio_out: number) => ({
  total_tokens: text_in + audio_in + text_out + audio_out,
  input_tokens: text_in + audio_in,
  output_tokens: text_out + audio_out,
  input_token_details: { cached_tokens: 0, text_tokens: text_in, audio_tokens: audio_in },
  output_token_details: { text_tokens: text_out, audio_tokens: audio_out },
})
/** At the built-in prices: 2.5 a token, output four times that, sound eight times, spoken sound sixteen. */
const quotaOf = (text_in: number, audio_in: number, text_out: number, audio_out: number) =>
  Math.round((text_in + text_out * 4 + audio_in * 8 + audio_out * 8 * 2) * 2.5)

beforeEach(() => {
  upstream.turns.splice(0, upstream.turns.length, { usage: usage(100, 200, 50, 300) })
  upstream.sessions.splice(0)
})

afterEach(() => setOption('SettleAfterLeave', 10))

const entryOf = (ann: Client) => until(async () => (await logsOf(ann.person))[0])

test('several turns make one bill', async () => {
  const ann = await client()
  const call = await dial(ann)
  await call.seen('session.created')
  call.say({ type: 'response.create' })
  await call.seen('response.done')
  call.say({ type: 'response.create' })
  await call.seen('response.done', 2)
  expect(await logsOf(ann.person)).toEqual([])
  call.socket.close()
  const entry = await entryOf(ann)
  expect(entry).toMatchObject({
    model_name: MODEL,
    is_stream: true,
    prompt_tokens: 600,
    completion_tokens: 700,
    quota: quotaOf(200, 400, 100, 600),
    other: {
      ws: true,
      stream_status: 'finished',
      audio_input: 400,
      audio_output: 600,
      text_input: 200,
      text_output: 100,
    },
  })
  expect(await ann.balance()).toBe(RICH - entry.quota)
  const { url, headers } = upstream.sessions[0]!
  expect(url.search).toBe(`?model=${MODEL}`)
  expect(headers.get(HOP_HEADER)).toBeTruthy()
  await until(() => upstream.sessions[0]!.closed)
})

test('a key in the subprotocols is not forwarded, and `realtime` is accepted', async () => {
  const ann = await client()
  const protocols = ['realtime', `openai-insecure-api-key.sk-${ann.key}`, 'openai-beta.realtime-v1']
  const call = await dial(ann, undefined, { headers: {}, protocols })
  expect(call.socket.protocol).toBe('realtime')
  call.socket.close()
  await entryOf(ann)
  const { headers } = upstream.sessions[0]!
  expect(headers.get('openai-beta')).toBe('realtime=v1')
  expect(headers.get('authorization')).toBe('Bearer sk-upstream')
  expect(JSON.stringify([...headers])).not.toContain(ann.key)
})

test('a console session is no API key', async () => {
  const person = await visitor(1, RICH)
  const ann = await client()
  const headers = { cookie: person.cookie, origin: 'https://elsewhere.example', 'tollgate-user': String(person.id) }
  await expect(dial(ann, undefined, { headers })).rejects.toThrow('401')
  expect(upstream.sessions).toEqual([])
})

test('refusals come before any socket opens', async () => {
  const ann = await client()
  await expect(dial(ann, '/v1/realtime')).rejects.toThrow('400')
  await expect(dial(ann, '/v1/realtime?model=nobody-has-this')).rejects.toThrow('404')
  const poor = await client({}, 10)
  await expect(dial(poor)).rejects.toThrow('403')
  const limited = await client({ model_limits_enabled: true, model_limits: 'gpt-4o' })
  await expect(dial(limited)).rejects.toThrow('403')
  const plain = await ann.get(`/v1/realtime?model=${MODEL}`)
  expect(plain.status).toBe(426)
  expect(upstream.sessions).toEqual([])
  expect(await ann.balance()).toBe(RICH)
})

test('a request without an upgrade costs nothing and leaves no slot taken', async () => {
  // What is held for one session, and not for two.
  const ann = await client({}, 15_000)
  await setOption('UserConcurrencyLimit', 1)
  const refused = await ann.get(`/v1/realtime?model=${MODEL}`, { upgrade: 'websocket', connection: 'Upgrade' })
  expect(await errorOf(refused)).toMatchObject({ status: 426, code: 'socket_required' })
  await until(() => upstream.sessions[0]!.closed)
  const call = await dial(ann)
  await expect(dial(ann)).rejects.toThrow('429')
  call.socket.close()
  expect(await entryOf(ann)).toMatchObject({ quota: 0 })
  await setOption('UserConcurrencyLimit', 0)
  expect(await logsOf(ann.person)).toHaveLength(1)
})

test('a refused event is not forwarded, and the session goes on', async () => {
  const ann = await client()
  const call = await dial(ann)
  await call.seen('session.created')
  const item = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
  call.say({ type: 'session.update', session: { instructions: 'Say Test_Sensitive things' } })
  call.say({ type: 'conversation.item.create', item: item('a test_sensitive word') })
  call.say({ type: 'input_audio_buffer.append', audio: 'test_sensitive' })
  call.say({ type: 'conversation.item.create', item: item('a harmless one') })
  call.say({ type: 'response.create' })
  await call.seen('response.done')
  const errors = call.events.filter(({ type }) => type === 'error')
  expect(errors.map(({ error }) => error.code)).toEqual(['sensitive_words_detected', 'sensitive_words_detected'])
  const received = upstream.sessions[0]!.events
  expect(received.map(({ type }) => type)).toEqual([
    'input_audio_buffer.append',
    'conversation.item.create',
    'response.create',
  ])
  expect(received[1]!.item.content[0].text).toBe('a harmless one')
  call.socket.close()
  await entryOf(ann)
})

test('exhausted quota ends the session with an error and a bill', async () => {
  const ann = await client({}, 30_000)
  const call = await dial(ann)
  for (let turn = 0; turn < 3; turn++) call.say({ type: 'response.create' })
  expect(await call.closed).toBe(1008)
  expect(call.events.at(-1)).toMatchObject({
    type: 'error',
    error: {
      code: 'insufficient_user_quota',
      message: expect.stringMatching(/needs up to \$0\.\d{2,8}, \$0\.06 is left/),
    },
  })
  const entry = await entryOf(ann)
  expect(entry).toMatchObject({ other: { stream_status: 'exhausted', partial: true } })
  expect(await ann.balance()).toBe(30_000 - entry.quota)
  await until(() => upstream.sessions[0]!.closed)
})

test('exhausted quota ends a long turn', async () => {
  const delta = { type: 'response.output_text.delta', delta: 'word '.repeat(5000) }
  upstream.turns.splice(0, 1, { deltas: [delta], lasts: true })
  const ann = await client({}, 30_000)
  const call = await dial(ann)
  call.say({ type: 'response.create' })
  expect(await call.closed).toBe(1008)
  expect((await entryOf(ann)).other).toMatchObject({ stream_status: 'exhausted', counted_locally: true })
})

test('output of a turn that the upstream breaks off is counted locally', async () => {
  const sound = Buffer.alloc(48_000).toString('base64')
  upstream.turns.splice(0, 1, { deltas: [{ type: 'response.audio.delta', delta: sound }], breaks: true })
  const ann = await client()
  const call = await dial(ann)
  call.say({ type: 'input_audio_buffer.append', audio: sound })
  call.say({ type: 'response.create' })
  expect(await call.closed).toBe(1013)
  expect(call.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'upstream_broke_off' } })
  const entry = await entryOf(ann)
  // A second heard and a second spoken.
  expect(entry.other).toMatchObject({ audio_input: 10, audio_output: 20, counted_locally: true, partial: true })
  expect(await ann.balance()).toBe(RICH - entry.quota)
})

test('output of a turn that the client leaves is counted locally', async () => {
  await setOption('SettleAfterLeave', 0)
  upstream.turns.splice(0, 1, { deltas: [{ type: 'response.output_text.delta', delta: 'one two three' }], lasts: true })
  const ann = await client()
  const call = await dial(ann)
  call.say({ type: 'response.create' })
  await call.seen('response.output_text.delta')
  call.socket.close()
  const entry = await entryOf(ann)
  expect(entry).toMatchObject({ completion_tokens: 3, other: { stream_status: 'abandoned', partial: true } })
  expect(entry.other.counted_locally).toBe(true)
  expect(await ann.balance()).toBe(RICH - quotaOf(0, 0, 3, 0))
})

test('a turn without a usage report is counted locally', async () => {
  upstream.turns.splice(0, 1, { deltas: [{ type: 'response.output_text.delta', delta: 'one two three' }] })
  const ann = await client()
  const call = await dial(ann)
  call.say({ type: 'session.update', session: { instructions: 'Be brief' } })
  call.say({ type: 'response.create' })
  await call.seen('response.done')
  call.socket.close()
  expect(await entryOf(ann)).toMatchObject({ prompt_tokens: 2, completion_tokens: 3, quota: quotaOf(2, 0, 3, 0) })
})

/** Of RFC 6455: by it a server shows that it speaks the protocol. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

test('messages and a close in the tick of the opening are handled', async () => {
  const greeting = JSON.stringify({ type: 'session.created' })
  const hasty = createServer(socket =>
    socket
      .on('error', () => undefined)
      .once('data', head => {
        const key = /^sec-websocket-key: (.+)$/im.exec(String(head))![1]!.trim()
        const accept = new Bun.CryptoHasher('sha1').update(`${key}${GUID}`).digest('base64')
        const opening = ['HTTP/1.1 101 Switching Protocols', 'connection: upgrade', 'upgrade: websocket']
        const answer = [...opening, `sec-websocket-accept: ${accept}`, '', ''].join('\r\n')
        const said = [Buffer.from([0x81, greeting.length]), Buffer.from(greeting), Buffer.from([0x88, 2, 0x03, 0xf3])]
        socket.write(Buffer.concat([Buffer.from(answer), ...said]))
      }),
  )
  await new Promise<void>(resolve => hasty.listen(0, '127.0.0.1', resolve))
  const model = 'gpt-4o-realtime-preview-2024-12-17'
  await channelTo(`http://127.0.0.1:${(hasty.address() as AddressInfo).port}`, { models: model })
  const ann = await client()
  const call = await dial(ann, `/v1/realtime?model=${model}`)
  expect(await call.closed).toBe(1013)
  expect(call.events).toMatchObject([{ type: 'session.created' }, { error: { code: 'upstream_broke_off' } }])
  expect((await entryOf(ann)).other).toMatchObject({ stream_status: 'broken' })
  hasty.close()
})

test('a client that reads nothing is disconnected', async () => {
  await setOption('SettleAfterLeave', 0)
  const padding = 'x'.repeat(1_000_000)
  upstream.turns.splice(0, 1, { deltas: Array(40).fill({ type: 'rate_limits.updated', padding }), lasts: true })
  const ann = await client()
  const socket = connect(Number(new URL(ann.url).port), '127.0.0.1').on('error', () => undefined)
  socket.write(
    [
      ...[`GET /v1/realtime?model=${MODEL} HTTP/1.1`, `host: 127.0.0.1`, `authorization: Bearer sk-${ann.key}`],
      ...['connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13'],
      ...['sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==', '', ''],
    ].join('\r\n'),
  )
  await new Promise(resolve => socket.once('data', resolve))
  socket.pause()
  socket.write(masked(JSON.stringify({ type: 'response.create' })))
  expect((await entryOf(ann)).other).toMatchObject({ stream_status: 'abandoned', partial: true })
  await until(() => upstream.sessions[0]!.closed)
  socket.destroy()
})

/** A short text as a client sends it, under a mask that changes nothing. */
const masked = (text: string) => Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])

test('an empty session costs nothing', async () => {
  const ann = await client()
  const call = await dial(ann)
  call.socket.close()
  expect(await entryOf(ann)).toMatchObject({ quota: 0 })
  expect(await ann.balance()).toBe(RICH)
})

test('a price per call applies to the whole session', async () => {
  await setOption('ModelPrice', JSON.stringify({ [MODEL]: 0.1 }))
  const ann = await client()
  const call = await dial(ann)
  call.say({ type: 'response.create' })
  call.say({ type: 'response.create' })
  await call.seen('response.done', 2)
  call.socket.close()
  expect((await entryOf(ann)).quota).toBe(50_000)
  await setOption('ModelPrice', '{}')
})

test('a channel that does not open fails over', async () => {
  const model = 'gpt-4o-mini-realtime-preview'
  const refusing = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('', { status: 503 }) })
  await channelTo(`http://127.0.0.1:${refusing.port}`, { models: model, priority: 9 })
  await channelTo(upstream.url, { models: model })
  await setOption('RetryTimes', 1)
  const ann = await client()
  const call = await dial(ann, `/v1/realtime?model=${model}`)
  await call.seen('session.created')
  call.socket.close()
  const { attempts } = (await entryOf(ann)).other.admin_info
  expect(attempts.map((attempt: { status: number }) => attempt.status)).toEqual([503, 200])
  await refusing.stop(true)
})
