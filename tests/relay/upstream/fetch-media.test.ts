// @engine sqlite
/** Media that a request names by URL. */
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { fetchMedia } from '../../../src/relay/upstream/fetch-media.ts'
import { setOption } from '../../support/app/options.ts'
import { setEnv } from '../../support/env.ts'

const types: Record<string, string> = {
  '/a.png': 'image/png',
  '/large.png': 'image/png',
  '/b.pdf': 'application/pdf',
  '/page': 'text/html',
}
const asked: Record<string, number> = {}
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname } = new URL(request.method === 'POST' ? ((await request.json()) as any).url : request.url)
    const type = types[pathname]
    asked[pathname] = (asked[pathname] ?? 0) + 1
    const bytes = pathname === '/large.png' ? 'x'.repeat(500_000) : `bytes of ${pathname}`
    return type ? new Response(bytes, { headers: { 'content-type': type } }) : new Response('', { status: 404 })
  },
})
const at = (path: string) => `http://127.0.0.1:${server.port}${path}`
const inBase64 = (path: string) => Buffer.from(`bytes of ${path}`).toString('base64')

beforeEach(() => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
})
afterEach(async () => {
  await setOption('WorkerUrl', '')
})
afterAll(() => server.stop(true))

test('images and documents are fetched with their types', async () => {
  expect(await fetchMedia([at('/a.png'), at('/b.pdf')])).toEqual(
    new Map([
      [at('/a.png'), { media_type: 'image/png', data: inBase64('/a.png') }],
      [at('/b.pdf'), { media_type: 'application/pdf', data: inBase64('/b.pdf') }],
    ]),
  )
})

test('other types, internal addresses and too many URLs are refused alike', async () => {
  const refused = { code: 'error.unfetchable', status: 400 }
  await expect(fetchMedia([at('/page')])).rejects.toMatchObject(refused)
  await expect(fetchMedia([at('/nothing')])).rejects.toMatchObject(refused)
  const many = Array.from({ length: 17 }, (_, index) => at(`/a.png?${index}`))
  expect((await fetchMedia(many.slice(1))).size).toBe(16)
  setEnv({ OUTBOUND_ALLOW: [] })
  await expect(fetchMedia([at('/a.png')])).rejects.toMatchObject(refused)
  await expect(fetchMedia(many)).rejects.toMatchObject({ code: 'relay.too_many_addresses' })
})

test('all files together are limited to the size of a body', async () => {
  setEnv({ MAX_REQUEST_MB: 1 })
  const large = (count: number) => fetchMedia(Array.from({ length: count }, (_, index) => at(`/large.png?${index}`)))
  expect((await large(1)).size).toBe(1)
  await expect(large(12)).rejects.toMatchObject({ code: 'error.too_large', status: 413, params: { limit: 1 } })
  expect(asked['/large.png']).toBeLessThan(1 + 12)
})

test("the operator's worker fetches in our place", async () => {
  setEnv({ OUTBOUND_ALLOW: [] })
  await setOption('WorkerUrl', `http://127.0.0.1:${server.port}`)
  await setOption('WorkerValidKey', 'secret')
  const brought = await fetchMedia(['https://pictures.example/a.png'])
  expect([...brought.values()]).toEqual([{ media_type: 'image/png', data: inBase64('/a.png') }])
})
