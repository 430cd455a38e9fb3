// @waits
// @tier long
/** Clients that disconnect or stop reading, on channels that cancel then: the upstream is aborted and the call billed once. */
import { afterAll, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { app } from '../../support/app/app.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setEnv } from '../../support/env.ts'
import { type Client, chatBody, client, MODEL, quotaOf, RICH } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { until } from '../../support/until.ts'
import { chat, hangs, streams } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const rejections: unknown[] = []
process.on('unhandledRejection', error => rejections.push(error))
afterAll(() => expect(rejections).toEqual([]))

const words = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ')
const upstream = await startUpstream(chat({ text: words, pause_ms: 5 }))
/** Charges for what it has sent. */
const setting = JSON.stringify({ cancel_on_leave: true })
await channelTo(upstream, { setting })

const oneEntry = (ann: Client) => until(async () => (await logsOf(ann.person))[0])

/** A request written by hand, so that the connection can end in any manner. */
function dialRaw(ann: Client, stream: boolean, model = MODEL): Promise<Socket> {
  const body = JSON.stringify(chatBody({ stream, model }))
  const { hostname, port } = new URL(ann.url)
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    `host: ${hostname}`,
    `authorization: Bearer sk-${ann.key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
      resolve(socket)
    })
    socket.on('error', reject)
  })
}

const bytesArrive = (socket: Socket, count: number) =>
  new Promise<void>(resolve => {
    let seen = 0
    socket.on('data', data => {
      seen += data.length
      if (seen >= count) resolve()
    })
  })

const endings: [string, (socket: Socket) => void][] = [
  ['has no more to say', socket => socket.end()],
  ['closes', socket => socket.destroy()],
  ['resets', socket => socket.resetAndDestroy()],
]
/** All along an answer of 40 KB. */
const points = Array.from({ length: 20 }, (_, index) => 1 + index * 1500)

test.each(endings)(
  'a client that %s at any point of a stream aborts the upstream and pays for what came',
  async (_, leave) => {
    const before = upstream.journal.length
    const billed = points.map(async bytes => {
      const ann = await client()
      const socket = await dialRaw(ann, true)
      await bytesArrive(socket, bytes)
      leave(socket)
      const entry = await oneEntry(ann)
      expect(entry).toMatchObject({ is_stream: true, other: { partial: true, stream_status: 'abandoned' } })
      expect(entry.prompt_tokens).toBeGreaterThan(0)
      expect(await ann.balance()).toBe(RICH - quotaOf(entry.prompt_tokens, entry.completion_tokens))
      return entry.completion_tokens as number
    })
    const tokens = await Promise.all(billed)
    for (const [index, bytes] of points.entries()) {
      // An event of 170 bytes brings a token or two.
      expect(tokens[index]).toBeGreaterThanOrEqual(Math.floor(bytes / 250) - 2)
      expect(tokens[index]).toBeLessThan(500)
    }
    const calls = upstream.journal.slice(before)
    expect(calls).toHaveLength(points.length)
    for (const call of calls) expect(await call.ended).toBe('aborted')
  },
)

test.each(endings)('a client that %s before a whole response pays for the prompt', async (_, leave) => {
  const model = 'gpt-4o-mini'
  const waiting = await startUpstream(hangs(), model)
  const { id } = await channelTo(waiting, { models: model, setting })
  const ann = await client()
  const socket = await dialRaw(ann, false, model)
  const call = await until(() => waiting.journal[0])
  leave(socket)
  expect(await call.ended).toBe('aborted')
  const entry = await oneEntry(ann)
  expect(entry).toMatchObject({ completion_tokens: 0, other: { partial: true } })
  expect(entry.quota).toBeGreaterThan(0)
  expect(await ann.balance()).toBe(RICH - entry.quota)
  await (await setUp()).delete(`/api/channel/${id}/`)
})

test('dropping every call at its first byte is billed', async () => {
  const ann = await client()
  const before = upstream.journal.length
  const calls = 40
  await Promise.all(
    Array.from({ length: calls }, async () => {
      const socket = await dialRaw(ann, true)
      await bytesArrive(socket, 1)
      socket.destroy()
    }),
  )
  await until(async () => (await logsOf(ann.person)).length === 20)
  await Promise.all(upstream.journal.slice(before).map(call => call.ended))
  await until(async () => (await ann.person.get('/api/user/self')).data.request_count === calls)
  const emitted = upstream.journal.slice(before).reduce((sum, call) => sum + call.sent_bytes, 0)
  expect(emitted).toBeGreaterThan(0)
  const spent = RICH - (await ann.balance())
  // Eight tokens of prompt by the gateway's own count: nobody stayed to hear the upstream's.
  expect(spent).toBeGreaterThanOrEqual(calls * quotaOf(8, 0))
})

test('a client that stops reading stops the upstream, and little is buffered', async () => {
  const model = 'gpt-4o-2024-08-06'
  const big = await startUpstream(chat({ text: 'x'.repeat(100_000_000), chunks: 10_000 }), model)
  await channelTo(big, { models: model, setting })
  const ann = await client({}, 2_000_000_000)
  const socket = await dialRaw(ann, true, model)
  await bytesArrive(socket, 1000)
  socket.pause()
  const call = await until(() => big.journal[0])
  const sent = await until(async () => {
    const before = call.sent_bytes
    await Bun.sleep(300)
    return before === call.sent_bytes && before
  })
  expect(sent).toBeLessThan(50_000_000)
  socket.destroy()
  expect(await call.ended).toBe('aborted')
})

test('a client that never reads again is disconnected and billed once', async () => {
  const model = 'gpt-4o-2024-05-13'
  const big = await startUpstream(chat({ text: 'x'.repeat(100_000_000), chunks: 10_000 }), model)
  await channelTo(big, { models: model, setting })
  const ann = await client({}, 2_000_000_000)
  setEnv({ READER_TIMEOUT: 3 })
  const socket = await dialRaw(ann, true, model)
  socket.on('error', () => undefined)
  await bytesArrive(socket, 1000)
  socket.pause()
  const closed = new Promise(resolve => socket.once('close', resolve))
  const call = await until(() => big.journal[0])
  expect(await call.ended).toBe('aborted')
  const entry = await oneEntry(ann)
  expect(entry).toMatchObject({ other: { partial: true, stream_status: 'abandoned' } })
  socket.resume()
  await closed
  expect(await logsOf(ann.person)).toHaveLength(1)
  expect(await ann.balance()).toBe(2_000_000_000 - entry.quota)
})

const fat = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x' } }], padding: 'x'.repeat(100_000) })}\n\n`

test('the sockets of twenty clients that stop reading are closed', async () => {
  const model = 'gpt-4o-2024-11-20'
  const big = await startUpstream(streams(Array(2000).fill(fat)), model)
  await channelTo(big, { models: model, setting })
  const ann = await client({}, 2_000_000_000)
  setEnv({ READER_TIMEOUT: 3 })
  const sockets = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = await dialRaw(ann, true, model)
      socket.on('error', () => undefined)
      await bytesArrive(socket, 1000)
      return socket.pause()
    }),
  )
  expect(await Promise.all(big.journal.map(call => call.ended))).toEqual(Array(20).fill('aborted'))
  await until(() => app.server!.pendingRequests === 0)
  const entries = await until(async () => {
    const entries = await logsOf(ann.person)
    return entries.length === 20 && entries
  })
  const billed = entries.reduce((sum: number, entry: { quota: number }) => sum + entry.quota, 0)
  expect(await ann.balance()).toBe(2_000_000_000 - billed)
  for (const socket of sockets) socket.destroy()
})

test.each([
  ['/v1/chat/completions', 'application/json'],
  ['/v1/messages/count_tokens', 'application/json'],
  ['/v1/images/edits', 'multipart/form-data; boundary=x'],
])('a client that disconnects within its request to %s logs no error of ours', async (path, type) => {
  const ann = await client()
  const leaving = new AbortController()
  const asking = Promise.withResolvers<void>()
  const body = new ReadableStream({
    start: controller => leaving.signal.addEventListener('abort', () => controller.error(leaving.signal.reason)),
    pull: () => asking.resolve(),
  })
  const headers = { authorization: `Bearer sk-${ann.key}`, 'content-type': type }
  const { signal } = leaving
  const call = app.handle(new Request(`http://localhost${path}`, { method: 'POST', headers, body, signal }))
  await asking.promise
  leaving.abort()
  expect((await call).status).toBe(499)
  expect(await ann.balance()).toBe(RICH)
})
