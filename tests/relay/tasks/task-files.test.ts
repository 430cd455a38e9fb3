/** Files of songs: for whom they are fetched, from where, and what is no file. */
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../../src/db/database.ts'
import { fileAddressOf, lookAfterTasks } from '../../../src/domain/tasks/index.ts'
import { tasks } from '../../../src/domain/tasks/table.ts'
import { setEnv } from '../../support/env.ts'
import { type Client, client } from '../../support/people/client.ts'
import { fetched, rowOf, submitted } from '../../support/people/tasks.ts'
import { listen } from '../../support/upstream/http-server.ts'
import { song, sunoUpstream } from '../../support/upstream/suno.ts'
import { sunoChannel } from '../../support/upstream/suno-channel.ts'

const maker = await sunoUpstream()
await sunoChannel(maker)

const SOUND = Buffer.from('ID3 the sound of a toll gate')
const sound = () => new Response(SOUND, { headers: { 'content-type': 'audio/mpeg', 'set-cookie': 'a=b' } })
let served: (request: Request) => Response = sound
const asks: Request[] = []
const files = Bun.serve({
  ...{ port: 0, hostname: '127.0.0.1' },
  fetch(request) {
    asks.push(request)
    return served(request)
  },
})
afterAll(() => files.stop(true))

let ann: Client
let id: string
beforeEach(async () => {
  maker.reset()
  served = sound
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  ann = await client()
  id = await submitted(ann)
  const audio_url = `http://127.0.0.1:${files.port}/song.mp3`
  maker.tells((await rowOf(id)).upstream_id, { status: 'SUCCESS', data: [{ ...song(), audio_url }] })
  await lookAfterTasks(new AbortController().signal)
  expect(await fetched(ann, id)).toMatchObject({ status: 'SUCCESS' })
  asks.length = 0
})
afterEach(() => expect(maker.complaints).toEqual([]))

const path = (name = 'audio-0') => `/v1/tasks/${id}/files/${name}`

test('a song is fetched for its owner, by key, by session and by a signed address, without a key', async () => {
  const answers = [
    await ann.get(path()),
    await fetch(ann.url + path(), { headers: { cookie: ann.person.cookie } }),
    await fetch(ann.url + fileAddressOf({ task_id: id }, 'audio-0')),
  ]
  for (const answer of answers) {
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...{ 'content-type': 'audio/mpeg', 'x-content-type-options': 'nosniff' },
      ...{ 'cache-control': 'private, max-age=86400', 'content-security-policy': "default-src 'none'; sandbox" },
      'content-disposition': `inline; filename="${id}-audio-0.mp3"`,
    })
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(SOUND)
  }
  for (const { headers } of asks) expect([headers.get('authorization'), headers.get('cookie')]).toEqual([null, null])
})

test('another user, another file and a deleted task have none', async () => {
  const bob = await client()
  const own = `/v1/tasks/${await submitted(bob)}/files/audio-0`
  const [, query] = fileAddressOf({ task_id: id }, 'audio-0').split('?')
  const statuses = async (...answers: Promise<Response>[]) => (await Promise.all(answers)).map(({ status }) => status)
  expect(
    await statuses(
      ...[bob.get(path()), ann.get(path('audio-1')), ann.get(path('else')), bob.get(own)],
      ...[fetch(ann.url + path()), fetch(`${ann.url}${own}?${query}`), fetch(`${ann.url}${path('cover-0')}?${query}`)],
    ),
  ).toEqual([404, 404, 404, 404, 401, 401, 401])
  await db.update(tasks).set({ deleted_ms: 1 }).where(eq(tasks.task_id, id))
  expect(await statuses(ann.get(path()), fetch(ann.url + fileAddressOf({ task_id: id }, 'audio-0')))).toEqual([
    404, 404,
  ])
  expect(asks).toEqual([])
})

test('a range is passed on, and so is what the host says of it', async () => {
  served = request => {
    expect(request.headers.get('range')).toBe('bytes=0-2')
    const headers = { 'content-type': 'audio/mpeg', 'content-range': `bytes 0-2/${SOUND.length}` }
    return new Response(SOUND.subarray(0, 3), { status: 206, headers })
  }
  const part = await ann.get(path(), { range: 'bytes=0-2' })
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 0-2/28', 'ID3'])
  served = () => new Response(null, { status: 416, headers: { 'content-range': 'bytes */28' } })
  const none = await ann.get(path(), { range: 'bytes=99-' })
  expect([none.status, none.headers.get('content-range')]).toEqual([416, 'bytes */28'])
})

test('a redirect is followed, to no address of the own network', async () => {
  served = ({ url }) => (url.endsWith('/song.mp3') ? Response.redirect(url.replace('song', 'moved')) : sound())
  expect(Buffer.from(await (await ann.get(path())).arrayBuffer())).toEqual(SOUND)
  served = ({ url }) => (url.endsWith('/song.mp3') ? Response.redirect('http://169.254.169.254/latest') : sound())
  expect((await ann.get(path())).status).toBe(502)
  served = ({ url }) => Response.redirect(url)
  expect((await ann.get(path())).status).toBe(502)
})

const html = '<!doctype html><script>alert(1)</script>'
test.each<[string, () => Response]>([
  ['HTML called a song', () => new Response(html, { headers: { 'content-type': 'audio/mpeg' } })],
  ['a song called HTML', () => new Response(SOUND, { headers: { 'content-type': 'text/html' } })],
  ['an error in JSON', () => new Response('{"error":1}', { headers: { 'content-type': 'application/octet-stream' } })],
  ['an error', () => new Response('gone', { status: 404 })],
])('%s is no song', async (_, answer) => {
  served = answer
  const { status, headers } = await ann.get(path())
  expect([status, headers.get('content-type')]).toEqual([502, 'application/json;charset=utf-8'])
})

test('a song in the own network is not fetched', async () => {
  setEnv({ OUTBOUND_ALLOW: [] })
  // To this host no connection is open from before.
  using inner = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => sound() })
  for (const host of [`127.0.0.1:${inner.port}`, `localhost:${inner.port}`, `[::ffff:127.0.0.1]:${inner.port}`]) {
    const result = [{ ...song(), audio_url: `http://${host}/song.mp3` }]
    await db.update(tasks).set({ result }).where(eq(tasks.task_id, id))
    expect((await ann.get(path())).status).toBe(502)
  }
})

test('a song of 10 GB is refused before it is read', async () => {
  const huge = await listen(async (_, answer) => {
    await answer.head(200, { 'content-type': 'audio/mpeg' }, 10_000_000_000)
    await answer.write(SOUND)
  })
  const result = [{ ...song(), audio_url: `http://127.0.0.1:${huge.port}/song.mp3` }]
  await db.update(tasks).set({ result }).where(eq(tasks.task_id, id))
  expect((await ann.get(path())).status).toBe(502)
  huge.stop()
})

test('an endless song ends with its client, and is not gathered', async () => {
  let sent = 0
  const endless = () =>
    new ReadableStream({
      pull(controller) {
        sent += 1_048_576
        controller.enqueue(new Uint8Array(1_048_576).fill(1))
      },
    })
  served = () => new Response(endless(), { headers: { 'content-type': 'audio/mpeg' } })
  const answer = await ann.get(path())
  const reader = answer.body!.getReader()
  let read = 0
  while (read < 4 * 1_048_576) read += (await reader.read()).value!.byteLength
  await reader.cancel()
  const before = sent
  await Bun.sleep(300)
  expect(sent - before).toBeLessThan(32 * 1_048_576)
})
