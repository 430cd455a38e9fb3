// @engine sqlite
/** Bytes of other servers are bounded wherever they are read: each reader stands in a table, and is shown too much. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { crc32, gzipSync } from 'node:zlib'
import { server as spark } from '../providers/fixtures/spark/server.ts'
import { setOption } from '../support/app/options.ts'
import { setEnv } from '../support/env.ts'
import { type Client, client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { dial, REALTIME_MODEL } from '../support/people/realtime-client.ts'
import { read, withoutComments } from '../support/source/files.ts'
import { until } from '../support/until.ts'
import { floodingSocket } from '../support/upstream/flooding-socket.ts'
import type { Script } from '../support/upstream/openai.ts'
import { channelTo, deleteChannels, served } from '../support/upstream/served-channel.ts'

const MEGABYTE = 1_048_576
await setOption('ModelRatio', JSON.stringify({ 'generalv3.5': 1, 'gpt-4o': 1, [REALTIME_MODEL]: 1 }))

let ann: Client
beforeEach(async () => {
  await deleteChannels()
  ann = await client()
})

/** Where bodies and messages of other servers are read, and by what they are bounded. Requests have web/arriving-body.ts. */
const readers: Record<string, string> = {
  'src/net/upstream-fetch.ts': 'readBody: max_bytes; readErrorBody: 64 KB; readChunks: by each of its callers',
  'src/net/upstream-socket.ts': '16 MB of a message, and of those that wait',
  'src/relay/realtime/session.ts': 'messages of net/upstream-socket',
  'src/web/arriving-body.ts': 'requests: MAX_REQUEST_MB',
  'src/relay/request/multipart-form.ts': 'our own spool',
  'src/relay/tasks/file-response.ts': 'a copy of our own, a chunk at a time',
  'src/web/forms.ts': 'a form that is read already',
  'src/web/assets.ts': 'our own files',
  'src/web/compression.ts': 'our own pages',
  'src/domain/backups/snapshot.ts': 'a part of our own file',
  'src/domain/backups/store.ts': 'objects of our own, from the folder or bucket of the operator',
  'src/domain/backups/test-backup.ts': 'the output of our own command',
  'src/domain/oauth/code-flow.ts': 'guardedFetch: 256 KB',
  'src/domain/oauth/provider-fetch.ts': 'guardedFetch: 256 KB',
  'src/domain/routing/sending/side-requests.ts': 'a form of our own that is sent',
}

/** Callers of `readChunks`, which reads without an end, and the bound of what they keep. */
const streams: Record<string, string> = {
  'src/domain/tasks/copy-file.ts': 'FILE_BYTES_MAX of a copy, a chunk at a time',
  'src/net/upstream-fetch.ts': 'readErrorBody: 64 KB',
  'src/relay/upstream/start-stream.ts': 'EVENT_MAX_BYTES of an event, RESPONSE_MAX_BYTES of what is gathered',
  'src/relay/upstream/start-file.ts': 'a chunk at a time',
  'src/relay/endpoints/responses.ts': 'a chunk at a time',
  'src/relay/shadow/pass-on.ts': 'a chunk at a time; EVENT_MAX_BYTES and RESPONSE_MAX_BYTES of what is read along',
  'src/relay/tasks/file-response.ts': 'a chunk at a time',
}

const sources = await read('src/{net,stream,relay,domain,web,providers,console}/**/*.{ts,tsx}')
const filesWith = (pattern: RegExp) =>
  sources.filter(({ code }) => pattern.test(withoutComments(code))).map(({ path }) => path)

test('every reader of foreign bytes stands in a table, with its bound', () => {
  const reading =
    /\.(bytes|arrayBuffer|formData)\(\)|(?:response|answer|request|\))\s*\.(text|json)\(\)|\.getReader\(|onmessage|fromAsync/
  expect(filesWith(reading)).toEqual(Object.keys(readers).sort())
  expect(filesWith(/\breadChunks\(/)).toEqual(Object.keys(streams).sort())
})

/** A body that does not end, of which the gateway takes so much. */
const endless =
  (type: string, piece: Buffer, { status = 200, pieces = 200 } = {}): Script =>
  async (_, answer) => {
    await answer.head(status, { 'content-type': type }, 'chunked')
    for (let sent = 0; sent < pieces && !answer.gone; sent++) await answer.write(piece)
    await answer.left
  }

/** One that inflates to 80 MB. */
const bomb: Script = async (_, answer) => {
  const bytes = gzipSync(Buffer.alloc(80 * MEGABYTE, ' '))
  await answer.head(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }, bytes.length)
  await answer.write(bytes)
}

const prelude = Buffer.alloc(12)
prelude.writeUInt32BE(30 * MEGABYTE, 0)
prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
const MUCH = Buffer.alloc(MEGABYTE, 'a')
const [ndjson, aws] = ['application/x-ndjson', 'application/vnd.amazon.eventstream']
const stream = { stream: true }

const floods: [name: string, script: Script, body: Record<string, unknown>, taken_mb: number][] = [
  ['a server-sent event', endless('text/event-stream', MUCH), stream, 40],
  ['a line of NDJSON', endless(ndjson, MUCH), stream, 40],
  ['a line of NDJSON in small pieces', endless(ndjson, Buffer.alloc(2000, 'a'), { pieces: 20_000 }), stream, 40],
  ['a frame of AWS', endless(aws, prelude, { pieces: 1 }), stream, 1],
  ['a whole response', endless('application/json', MUCH), {}, 90],
  ['an error', endless('application/json', MUCH, { status: 500 }), {}, 20],
]

test.each(floods)('an upstream is left that does not end %s', async (_, script, body, taken_mb) => {
  const { upstream } = await served(script)
  expect((await ann.chat(body)).status).toBe(502)
  const call = upstream.journal.at(-1)!
  expect(await call.ended).toBe('aborted')
  expect(call.sent_bytes).toBeLessThan(taken_mb * MEGABYTE)
})

test('a response that inflates to more than is read is refused', async () => {
  await served(bomb)
  expect((await ann.chat()).status).toBe(502)
})

describe.each([
  ['one frame', false],
  ['fragments', true],
])('a message of 100 MB in %s', (_, fragments) => {
  test('ends the socket of a call', async () => {
    const flood = await floodingSocket(fragments)
    await channelTo(flood.url, { type: spark.channel.type, key: spark.channel.key, models: 'generalv3.5' })
    expect((await ann.chat({ model: 'generalv3.5' })).status).toBe(502)
    expect(await until(() => flood.taken >= 0 && flood.taken)).toBeLessThan(40 * MEGABYTE)
  })

  test('ends a realtime session', async () => {
    const flood = await floodingSocket(fragments)
    await channelTo(flood.url, { models: REALTIME_MODEL })
    const session = await dial(ann)
    expect(await session.closed).toBe(1013)
    expect(await until(() => flood.taken >= 0 && flood.taken)).toBeLessThan(40 * MEGABYTE)
  })
})

test('answers to the console are bounded: model lists, balances, discovery', async () => {
  let sent_bytes = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent_bytes += MUCH.length
            controller.enqueue(new Uint8Array(MUCH))
          },
        }),
        { headers: { 'content-type': 'application/json' } },
      ),
  })
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  const root = await setUp()
  const base_url = server.url.href.replace(/\/$/, '')
  const { id } = await channelTo(base_url)
  const queries: [string, () => Promise<{ success: boolean }>][] = [
    ['model list', () => root.post('/api/channel/fetch_models', { type: 1, base_url, key: 'sk-1' })],
    ['balance', () => root.get(`/api/channel/update_balance/${id}/`)],
    ['discovery', () => root.post('/api/option/oidc_discovery', { well_known: `${base_url}/.well-known/x` })],
  ]
  for (const [name, query] of queries) {
    sent_bytes = 0
    expect([name, (await query()).success]).toEqual([name, false])
    expect([name, sent_bytes > 0, sent_bytes < 40 * MEGABYTE]).toEqual([name, true, true])
  }
  server.stop(true)
})
