// @engine sqlite
/** Pictures of drawings: for whom they are fetched, and what is no picture. */
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { shiftClock } from '../../../src/process/clock.ts'
import { setOption } from '../../support/app/options.ts'
import { setEnv } from '../../support/env.ts'
import { type Client, client } from '../../support/people/client.ts'
import { asked, begun, drawingOf, drawingRow, finished, lookAround } from '../../support/people/drawings.ts'
import { closeOtherDrawings, drawingChannel, drawn, midjourneyUpstream } from '../../support/upstream/midjourney.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const DAY = 86_400

const maker = await midjourneyUpstream()
await drawingChannel(maker)

let served: () => Response = () => new Response(PNG, { headers: { 'content-type': 'image/png' } })
const asks: Request[] = []
const files = Bun.serve({
  ...{ port: 0, hostname: '127.0.0.1' },
  fetch(request) {
    asks.push(request)
    return served()
  },
})
const address = `http://127.0.0.1:${files.port}/drawing.png`

let ann: Client
let id: string
beforeEach(async () => {
  maker.reset()
  asks.length = 0
  served = () => new Response(PNG, { headers: { 'content-type': 'image/png; charset=x', 'set-cookie': 'a=b' } })
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  ann = await client()
  id = await finished(ann, maker, drawn(address))
})
afterEach(() => closeOtherDrawings())
afterAll(() => files.stop(true))

const withoutKey = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers })
const signedPath = async () => new URL((await drawingOf(ann, id)).imageUrl)

test('a picture is fetched for its owner, by key, by session and by a signed address', async () => {
  await setOption('ServerAddress', ann.url)
  const signed = (await signedPath()).href
  const answers = [
    await ann.get(`/mj/image/${id}`),
    await withoutKey(`${ann.url}/mj/image/${id}`, { 'mj-api-secret': ann.key }),
    await withoutKey(`${ann.url}/mj/image/${id}`, { cookie: ann.person.cookie }),
    await withoutKey(signed),
  ]
  for (const answer of answers) {
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...{ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' },
      ...{ 'cache-control': 'private, max-age=86400', 'content-security-policy': "default-src 'none'; sandbox" },
      'content-disposition': `inline; filename="${(await drawingRow(ann, id)).task_id}.png"`,
    })
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG)
  }
  for (const { headers } of asks)
    expect([headers.get('authorization'), headers.get('mj-api-secret')]).toEqual([null, null])
  await setOption('ServerAddress', '')
})

test('nobody else has the picture, by its ids, by a session, or by an address that is altered or a day old', async () => {
  const bob = await client()
  const { task_id } = await drawingRow(ann, id)
  const signed = await signedPath()
  const altered = new URL(signed)
  altered.searchParams.set('expires', String(Number(signed.searchParams.get('expires')) + 1))
  const other = new URL(signed)
  other.pathname = `/mj/image/${(await drawingRow(bob, await finished(bob, maker, drawn(address)))).task_id}`
  const statuses = async (...answers: Promise<Response>[]) => (await Promise.all(answers)).map(({ status }) => status)
  const at = (url: URL) => withoutKey(ann.url + url.pathname + url.search)
  const image = `${ann.url}/mj/image/${id}`
  expect(
    await statuses(
      ...[bob.get(`/mj/image/${id}`), bob.get(`/mj/image/${task_id}`)],
      withoutKey(image, { cookie: bob.person.cookie }),
      ...[withoutKey(image), withoutKey(image, { cookie: 'session=nothing' }), at(altered), at(other)],
    ),
  ).toEqual([404, 404, 404, 401, 401, 401, 401])
  expect(await statuses(at(signed))).toEqual([200])
  shiftClock(DAY + 1)
  expect(await statuses(at(signed))).toEqual([401])
})

test('addresses lead to this site where the operator says so, and change while a picture does', async () => {
  const unfinished = await begun(ann)
  maker.tells(unfinished, { status: 'IN_PROGRESS', progress: '40%', imageUrl: address })
  await lookAround()
  expect((await drawingOf(ann, unfinished)).imageUrl).toMatch(
    /\/mj\/image\/task_\w{32}\?expires=\d+&signature=\w+&rand=\d+$/,
  )
  const shown = await ann.get(`/mj/image/${unfinished}`)
  expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const [told] = (await asked(ann, '/mj/task/list-by-condition', { ids: [id] })).body
  expect(told.imageUrl).toMatch(/\/mj\/image\/task_\w{32}\?expires=\d+&signature=\w+$/)
  await setOption('MjForwardUrlEnabled', false)
  expect((await drawingOf(ann, id)).imageUrl).toBe(address)
  await setOption('MjForwardUrlEnabled', true)
})

const html = '<!doctype html><script>alert(1)</script>'
const endless = () => new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(1_048_576)) })

test.each<[string, () => Response]>([
  ['HTML called PNG', () => new Response(html, { headers: { 'content-type': 'image/png' } })],
  ['a picture called HTML', () => new Response(PNG, { headers: { 'content-type': 'text/html' } })],
  ['a drawing of vectors', () => new Response('<svg/>', { headers: { 'content-type': 'image/svg+xml' } })],
  ['an error', () => new Response('gone', { status: 404 })],
  ['a redirect', () => Response.redirect('https://elsewhere.example/a.png')],
  ['an endless file', () => new Response(endless(), { headers: { 'content-type': 'image/png' } })],
])('%s is no picture', async (_, answer) => {
  served = answer
  const response = await ann.get(`/mj/image/${id}`)
  expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 502, body: { code: 5 } })
})

test('a picture in the own network is not fetched, and a drawing without one has none', async () => {
  setEnv({ OUTBOUND_ALLOW: [] })
  expect((await ann.get(`/mj/image/${id}`)).status).toBe(502)
  expect(asks).toEqual([])
  expect((await ann.get(`/mj/image/${await begun(ann)}`)).status).toBe(404)
})
