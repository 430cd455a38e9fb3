/** Files of videos: which addresses are fetched, with which key, and what is no video. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../../src/db/database.ts'
import { tasks } from '../../../src/domain/tasks/table.ts'
import { setEnv } from '../../support/env.ts'
import { type Client, client } from '../../support/people/client.ts'
import { expectCleanBooks } from '../../support/people/tasks.ts'
import { begun, looks, priced, seen, videoChannel } from '../../support/people/videos.ts'
import { listen } from '../../support/upstream/http-server.ts'
import { veo, xai } from '../../support/upstream/videos/clouds.ts'
import { FILM, videoServer } from '../../support/upstream/videos/server.ts'

const maker = await videoServer(xai)
const google = await videoServer(veo)
await videoChannel(xai, maker)
await videoChannel(veo, google)

/** A host of files beside the maker. */
const asked: Record<string, string>[] = []
const host = await listen(async ({ target, headers }, answer) => {
  asked.push(headers)
  if (target === '/page') await answer.head(200, { 'content-type': 'text/html' }, 6).then(() => answer.write('<html>'))
  else if (target === '/huge') await answer.head(200, { 'content-type': 'video/mp4' }, 10_000_000_000)
  else await answer.head(200, { 'content-type': 'video/mp4' }, FILM.length).then(() => answer.write(FILM))
})
const files = `http://127.0.0.1:${host.port}`

let ann: Client
beforeEach(async () => {
  asked.length = 0
  await priced(xai.model, veo.model)
  ann = await client()
})
afterEach(expectCleanBooks)

async function finished(url: string, wire = xai): Promise<string> {
  for (const server of [maker, google]) server.plays('ok')
  const id = await begun(ann, { model: wire.model, ...wire.request })
  await looks(4)
  expect(await seen(ann, id)).toMatchObject({ status: 'completed' })
  if (url) await db.update(tasks).set({ result: { url } }).where(eq(tasks.task_id, id))
  return id
}

const content = async (id: string, headers = {}) => ann.get(`/v1/videos/${id}/content`, headers)

test('a file at an address of the own network is not fetched', async () => {
  const id = await finished(`${files}/film.mp4`)
  expect((await content(id)).status).toBe(502)
  expect(asked).toEqual([])
})

test('a file at another host is fetched without the key', async () => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  const id = await finished(`${files}/film.mp4`)
  expect(Buffer.from(await (await content(id)).arrayBuffer())).toEqual(FILM)
  expect(asked[0]).not.toHaveProperty('authorization')
})

test.each(['/page', '/huge'])('%s is no video', async path => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  const id = await finished(files + path)
  const response = await content(id)
  expect([response.status, response.headers.get('content-type')]).toEqual([502, 'application/json;charset=utf-8'])
})

test('a data URL is content with ranges', async () => {
  const id = await finished(`data:video/mp4;base64,${FILM.toString('base64')}`)
  expect(((await seen(ann, id)) as any).metadata.url).toEndWith(`/v1/videos/${id}/content`)
  expect(Buffer.from(await (await content(id)).arrayBuffer())).toEqual(FILM)
  for (const [range, status, text] of [
    ['bytes=4-7', 206, 'ftyp'],
    ['bytes=-4', 206, FILM.subarray(-4).toString()],
    ['bytes=30-', 206, FILM.subarray(30).toString()],
    ['bytes=999-', 416, ''],
    ['lines=1-2', 200, FILM.toString()],
  ] as const) {
    const part = await content(id, { range })
    expect([part.status, await part.text()]).toEqual([status, text])
  }
})

test('a file of Google is asked for with the key that made it, which the client never sees', async () => {
  const id = await finished('', veo)
  expect(((await seen(ann, id)) as any).metadata.url).toEndWith(`/v1/videos/${id}/content`)
  expect((await content(id)).status).toBe(200)
  expect(google.calls.at(-1)!.headers['x-goog-api-key']).toBe(veo.channel.key)
})
