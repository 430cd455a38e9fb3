// @engine sqlite
/** Readers that do not read, over raw sockets: what waits for them, when they are cut off, and what they pay. */
import { afterEach, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { logsOf } from '../../support/app/logs.ts'
import { setEnv } from '../../support/env.ts'
import { type Client, client } from '../../support/people/client.ts'
import { openCall, readToEnd } from '../../support/people/raw-call.ts'
import { errorOf } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { sounds } from '../../support/upstream/endpoint-scripts.ts'
import { served } from '../../support/upstream/served-channel.ts'

const QUOTA = 2_000_000_000
const MEGABYTE = 1_048_576
/** More than the sockets of both sides take. */
const LONG_BYTES = 7 * MEGABYTE

await served(chat({ text: 'x'.repeat(LONG_BYTES), chunks: 300 }), { models: 'gpt-4o' }, 'gpt-4o')
await served(chat({ text: 'x'.repeat(LONG_BYTES) }), { models: 'gpt-4.1' }, 'gpt-4.1')
await served(chat({ text: 'x'.repeat(20 * MEGABYTE) }), { models: 'gpt-4o-mini' }, 'gpt-4o-mini')
await served(sounds(Buffer.alloc(LONG_BYTES, 1), { pieces: 100 }), { models: 'tts-1' }, 'tts-1')
const endless = await served(
  chat({ text: 'x'.repeat(60 * MEGABYTE), chunks: 2000 }),
  { models: 'gpt-4.1-mini' },
  'gpt-4.1-mini',
)

const open: Socket[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy()
})

/** A call of which the beginning of the answer is read, and nothing more until it is resumed. */
async function stall(ann: Client, path: string, body: object): Promise<Socket> {
  const { hostname, port, host } = new URL(ann.url)
  const text = JSON.stringify({ messages: [{ role: 'user', content: 'Say hello' }], ...body })
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  open.push(socket)
  const head = [`POST ${path} HTTP/1.1`, `host: ${host}`, `authorization: Bearer sk-${ann.key}`]
  socket.write(`${[...head, `content-length: ${text.length}`].join('\r\n')}\r\n\r\n${text}`)
  await new Promise(resolve => socket.once('data', resolve))
  return socket.pause()
}

const entriesOf = async (ann: Client, count = 1) =>
  until(async () => {
    const entries = await logsOf(ann.person)
    return entries.length >= count ? entries : undefined
  })

const paths: [kind: string, path: string, body: object, status: string | undefined][] = [
  ['stream', '/v1/chat/completions', { model: 'gpt-4o', stream: true }, 'abandoned'],
  ['stream of another format', '/v1/messages', { model: 'gpt-4o', stream: true, max_tokens: 100 }, 'abandoned'],
  [
    'JSON array',
    '/v1beta/models/gpt-4o:streamGenerateContent',
    { messages: undefined, contents: [{ parts: [{ text: 'hi' }] }] },
    'abandoned',
  ],
  ['file', '/v1/audio/speech', { messages: undefined, model: 'tts-1', voice: 'alloy', input: 'hello' }, undefined],
  ['whole response', '/v1/chat/completions', { model: 'gpt-4.1' }, undefined],
]

test('readers that take nothing of a response are cut off and pay once, whatever carries it', async () => {
  setEnv({ READER_TIMEOUT: 2 })
  const stalled = paths.map(async ([kind, path, body, status]) => {
    const ann = await client({}, QUOTA)
    const socket = await stall(ann, path, body)
    const ended = readToEnd(socket.pause())
    const [entry] = await entriesOf(ann)
    expect([kind, entry.other.stream_status]).toEqual([kind, status])
    expect(entry.quota).toBeGreaterThan(0)
    // It finds the end once it reads on, before the end of the answer.
    await Bun.sleep(3500)
    socket.resume()
    expect((await ended).length).toBeLessThan(LONG_BYTES)
    expect(await logsOf(ann.person)).toHaveLength(1)
    expect(await ann.balance()).toBe(QUOTA - entry.quota)
  })
  await Promise.all(stalled)
})

test('a reader that pauses gets its whole response', async () => {
  const ann = await client({}, QUOTA)
  const response = await ann.chat({ model: 'gpt-4.1' })
  const reader = response.body!.getReader()
  const taken = [(await reader.read()).value!]
  await Bun.sleep(2000)
  for (let read = await reader.read(); !read.done; read = await reader.read()) taken.push(read.value)
  expect(JSON.parse(Buffer.concat(taken).toString()).choices[0].message.content.length).toBe(LONG_BYTES)
})

test('readers that do not read lose their connections before their time where they hold too much', async () => {
  setEnv({ READER_TIMEOUT: 600, BODY_BUDGET_MB: 256 })
  const [ann, bob] = [await client({}, QUOTA), await client({}, QUOTA)]
  const closed: string[] = []
  const hold = async (who: Client, name: string) => {
    const socket = await stall(who, '/v1/chat/completions', { model: 'gpt-4o-mini' })
    socket.on('close', () => closed.push(name))
  }
  await hold(bob, 'bob')
  await Promise.all(Array.from({ length: 6 }, () => hold(ann, 'ann')))
  // The end of a connection shows once its reader reads.
  await Bun.sleep(6000)
  for (const socket of open) socket.resume()
  await until(() => closed.length >= 2)
  expect(closed).not.toContain('bob')
  await until(async () => (await ann.chat({ model: 'gpt-4o-mini' })).status === 200)
})

test('a user whose readers do not read begins no further call, until they are gone', async () => {
  setEnv({ READER_TIMEOUT: 600, BODY_BUDGET_MB: 64 })
  const [ann, bob] = [await client({}, QUOTA), await client({}, QUOTA)]
  for (let count = 0; count < 3; count++) await stall(ann, '/v1/chat/completions', { model: 'gpt-4o', stream: true })
  const refused = await until(async () => {
    const response = await ann.chat({ model: 'gpt-4.1' })
    return response.status === 429 ? response : undefined
  })
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await errorOf(refused)).toMatchObject({ code: 'responses_unread' })
  expect((await bob.chat({ model: 'gpt-4.1' })).status).toBe(200)
  const gone = open.splice(0)
  // Those of others stay.
  await stall(await client({}, QUOTA), '/v1/chat/completions', { model: 'gpt-4o', stream: true })
  for (const socket of gone) socket.destroy()
  await until(async () => (await ann.chat({ model: 'gpt-4.1' })).status === 200)
})

test('few fast streams of a user are asked for at a time, and those of others at once', async () => {
  const [ann, bob] = [await client({}, QUOTA), await client({}, QUOTA)]
  const before = endless.calls()
  const body = { model: 'gpt-4.1-mini', stream: true }
  for (let count = 0; count < 40; count++) open.push(openCall(ann.url, ann.key, body).pause())
  await until(() => endless.calls() - before >= 4)
  await Bun.sleep(1000)
  expect(endless.calls() - before).toBeLessThan(20)
  const response = await bob.stream({ model: 'gpt-4o' })
  expect((await response.body!.getReader().read()).done).toBe(false)
  // Those that leave before they are asked for cost nothing.
  for (const socket of open.splice(0)) socket.destroy()
  const asked = endless.calls()
  await until(async () => (await logsOf(ann.person)).length === asked - before)
  expect((await ann.chat({ model: 'gpt-4.1' })).status).toBe(200)
})

test('little is written to a reader that does not read', async () => {
  const ann = await client({}, QUOTA)
  const before = endless.calls()
  await stall(ann, '/v1/chat/completions', { model: 'gpt-4.1-mini', stream: true })
  const call = endless.upstream.journal[before]!
  const sent = await until(async () => {
    const before = call.sent_bytes
    await Bun.sleep(500)
    return before === call.sent_bytes && before
  })
  // Of 60 MB: what both sockets take, 10 MB each where the system lets them grow, and what the gateway and its client
  // have in memory.
  expect(sent).toBeLessThan(30 * MEGABYTE)
})
