// @engine sqlite
/** Bodies that come slowly, over raw sockets: how long they may take, what they hold, and how they end. */
import { afterEach, expect, test } from 'bun:test'
import { skipTime } from '../../../src/process/clock.ts'
import { apiRoutes } from '../../../src/relay/endpoints/table.ts'
import { consoleRoutes } from '../../support/app/routes.ts'
import { setEnv } from '../../support/env.ts'
import { chatBody, client, MODEL } from '../../support/people/client.ts'
import { type Person, setUp } from '../../support/people/person.ts'
import { type RawRequest, rawRequest } from '../../support/people/raw-request.ts'
import { errorOf } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream)
const root = await setUp()
const [ann, bob] = [await client(), await client()]

const MEGABYTE = 1_048_576
const open: RawRequest[] = []
afterEach(() => {
  for (const request of open.splice(0)) request.destroy()
})

const byKey = { authorization: `Bearer sk-${ann.key}` }
const bySession = ({ id, cookie }: Person) => ({ cookie, 'tollgate-user': String(id), 'sec-fetch-site': 'same-origin' })

function send(path: string, headers: Record<string, string>, body: string | Uint8Array, method = 'POST'): RawRequest {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`)
  const request = rawRequest(ann.url, [`${method} ${path} HTTP/1.1`, ...lines], body)
  open.push(request)
  return request
}

/** Time passes until the server has had enough: a window of 5 s at a time, as its timers look at them. */
async function passTime(seconds: number) {
  // What was sent is read first.
  await Bun.sleep(150)
  for (let passed = 0; passed < seconds; passed += 5) {
    skipTime(5.1)
    await Bun.sleep(350)
  }
}

const large = { 'content-length': String(60 * MEGABYTE) }
const form = { 'content-type': 'multipart/form-data; boundary=x' }
const formBody = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc'
const pathOf = (path: string) =>
  path
    .replace(/:\w+$/, verb => (path.includes('*') ? verb : 'x'))
    .replace('*', MODEL)
    .replace(/\/:\w+\//, '/x/')
    .replace(/^\/jimeng\/$/, '/jimeng/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31')

// What visitors send is refused by its length.
const calls = apiRoutes.filter(({ method, handle, by_visitor }) => method === 'POST' && handle && !by_visitor)
// An id in the path is looked up, and an unknown action refused: the body is not read.
const readers = calls.filter(({ path }) => !/\/:(?:id\/(?:cancel|remix)|action)$/.test(path))

test('a large body that hardly comes ends with 408 in the format of its endpoint, and the connection with it', async () => {
  const requests = readers.flatMap(({ path, by_session }) => {
    const headers = { ...(by_session ? bySession(root) : byKey), ...large, 'accept-language': 'zh' }
    const isForm = /audio|images\/(edits|variations)/.test(path)
    return isForm ? [send(pathOf(path), { ...headers, ...form }, formBody)] : [send(pathOf(path), headers, '{"a": ')]
  })
  await passTime(5)
  const answers = await Promise.all(requests.map(({ answer }) => answer))
  for (const [index, { status, head, body }] of answers.entries()) {
    const { path } = readers[index]!
    expect([path, status]).toEqual([path, 408])
    expect(head.toLowerCase()).toContain('connection: close')
    const { type, ...told } = JSON.parse(body)
    if (path.startsWith('/mj/')) {
      expect(told).toMatchObject({ code: 4, description: expect.stringContaining('请求体上传过慢') })
      continue
    }
    // Kling, Jimeng and the older form of videos have numbers, or words of their own, for their codes.
    const isOther = /^\/(?:kling|jimeng)\/|^\/v1\/video\//.test(path)
    const error = path.startsWith('/suno/') || isOther ? told : told.error
    expect([path, error?.message]).toEqual([path, expect.stringContaining('请求体上传过慢')])
    if (isOther) continue
    if (path.startsWith('/v1/messages')) expect([type, error.type]).toEqual(['error', 'timeout_error'])
    else if (path.includes('*:')) expect(error).toMatchObject({ code: 408, status: 'DEADLINE_EXCEEDED' })
    else expect(error.code).toBe('body_too_slow')
  }
})

test.each([
  ['compressed', { ...large, 'content-encoding': 'gzip' }, '\x1f'],
  ['chunked', { 'transfer-encoding': 'chunked' }, '1\r\n{\r\n'],
  ['compressed in chunks', { 'transfer-encoding': 'chunked', 'content-encoding': 'zstd' }, '1\r\n(\r\n'],
  ['small', { 'content-length': '100' }, '{"a": '],
  ['medium', { 'content-length': '500000' }, '{"a": '],
])('a %s body that never ends is answered with 408 after 25 seconds', async (_, headers, body) => {
  const request = send('/v1/chat/completions', { ...byKey, ...headers, 'accept-language': 'en' }, body)
  await passTime(25)
  const { status, body: answer } = await request.answer
  expect(status).toBe(408)
  expect(JSON.parse(answer).error).toMatchObject({ type: 'tollgate_error', code: 'body_too_slow' })
})

test('bodies of the console that never end are answered with 408: envelopes, pages and callbacks', async () => {
  const [envelope, page, callback, ...writes] = [
    send('/api/user/login', large100, '{"a": '),
    send('/login', { ...large100, 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }, 'a='),
    send('/api/user/epay/notify', large100, 'a='),
    ...consoleRoutes
      .filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/') && !path.includes('epay'))
      .map(({ method, path }) =>
        send(path.replace(/:\w+/g, '1'), { ...bySession(root), ...large100 }, '{"a": ', method),
      ),
  ]
  await passTime(25)
  const { status, body } = await envelope!.answer
  expect([status, JSON.parse(body)]).toMatchObject([408, { success: false, code: 'error.body_too_slow' }])
  expect((await page!.answer).status).toBe(408)
  expect(await callback!.answer).toMatchObject({ status: 408, body: 'fail' })
  for (const { statuses } of writes) expect(await statuses).toEqual([408])
})
const large100 = { 'content-length': '100000' }

test('a body that comes at a slow but steady pace is read', async () => {
  const body = JSON.stringify(chatBody({ messages: [{ role: 'user', content: 'a'.repeat(MEGABYTE) }] }))
  const request = send(
    '/v1/chat/completions',
    { ...byKey, 'content-length': String(body.length), connection: 'close' },
    '',
  )
  // 40 KB a second.
  for (let at = 0; at < body.length; at += 200_000) {
    request.write(body.slice(at, at + 200_000))
    await passTime(5)
  }
  expect(await request.answer).toMatchObject({ status: 200 })
})

test('four uploads of one key that are announced and do not come keep nobody out', async () => {
  for (let count = 0; count < 4; count++) send('/v1/chat/completions', { ...byKey, ...large }, '{"a": ')
  await Bun.sleep(200)
  for (const kilobytes of [120, 1000, 5000]) {
    const content = 'a'.repeat(kilobytes * 1000)
    expect((await bob.chat({ messages: [{ role: 'user', content }] })).status).toBe(200)
  }
})

/** A body of which so much comes. */
async function holdBody(bytes: number): Promise<RawRequest> {
  const request = send('/v1/chat/completions', { ...byKey, ...large }, Buffer.alloc(bytes, ' '))
  await Bun.sleep(300)
  return request
}

test('the bodies of one user take a quarter of the budget, unless there is one alone', async () => {
  setEnv({ BODY_BUDGET_MB: 8 })
  const withText = (bytes: number) => ({ messages: [{ role: 'user', content: 'a'.repeat(bytes) }] })
  const first = await holdBody(5 * MEGABYTE)
  expect(await errorOf(await ann.chat(withText(100_000)))).toMatchObject({ status: 503, code: 'body_budget_spent' })
  expect((await ann.chat()).status).toBe(200)
  expect((await bob.chat(withText(1_500_000))).status).toBe(200)
  // It grows on while no other of its user holds more.
  first.write(Buffer.alloc(2 * MEGABYTE, ' '))
  await Bun.sleep(300)
  expect((await bob.chat(withText(1_500_000))).status).toBe(200)
  first.destroy()
  await until(async () => (await ann.chat(withText(1_000_000))).status === 200)
})

test('a body larger than the whole budget leaves a quarter of it to others', async () => {
  setEnv({ BODY_BUDGET_MB: 4 })
  await holdBody(10 * MEGABYTE)
  const content = 'a'.repeat(700_000)
  expect((await bob.chat({ messages: [{ role: 'user', content }] })).status).toBe(200)
})
