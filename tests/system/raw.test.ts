// @engine sqlite
// @waits
/** What no well-made client sends, byte by byte over a socket. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { setUpAt } from '../support/app/installation.ts'
import { type Server, startServer } from '../support/app/server.ts'
import { ask, makeSite } from '../support/app/site.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const PATIENCE_MS = 5000
const model = 'gpt-4o-mini'

const upstream = await fakeUpstream()
let server: Server
let key: string
beforeAll(async () => {
  server = await startServer()
  key = await makeSite(server.url, upstream, model)
})
afterAll(async () => {
  await server.stop('SIGKILL')
  upstream.stop()
})

/** Sends these lines and answers with the status line of each answer that comes before the socket is closed. */
async function send(...lines: string[]): Promise<string[]> {
  const { port } = new URL(server.url)
  const { promise, resolve } = Promise.withResolvers<string>()
  let received = ''
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(lines.join('\r\n')))
  const timer = setTimeout(() => socket.destroy(), PATIENCE_MS)
  socket.on('data', piece => {
    received += piece
    if (/\r\n\r\n/.test(received)) setTimeout(() => socket.destroy(), 100)
  })
  socket.on('error', () => undefined)
  socket.on('close', () => resolve(received))
  const answer = await promise
  clearTimeout(timer)
  return [...answer.matchAll(/^HTTP\/1\.\d (\d{3})/gm)].map(([, status]) => status!)
}

const alive = async () => (await fetch(`${server.url}/healthz`)).status

test.each([
  ['no Host', ['GET /login HTTP/1.1', '', '']],
  ['a Host that is none', ['GET /login HTTP/1.1', 'Host: a b', '', '']],
  [
    'both lengths',
    [
      'POST /v1/chat/completions HTTP/1.1',
      'Host: x',
      'Content-Length: 4',
      'Transfer-Encoding: chunked',
      '',
      '0',
      '',
      'GET /healthz HTTP/1.1',
      'Host: x',
      '',
      '',
    ],
  ],
  ['two lengths', ['POST /api/user/login HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Content-Length: 2', '', 'ab']],
  [
    'a chunk size that is none',
    ['POST /api/user/login HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked', '', 'zz', 'ab', '0', '', ''],
  ],
  ['a folded header', ['GET /healthz HTTP/1.1', 'Host: x', 'X-A: a', ' b', '', '']],
  ['no HTTP at all', ['hello', '', '']],
])('a malformed request gets one error and the bytes behind it are not read: %s', async (_, lines) => {
  const statuses = await send(...lines)
  expect(statuses.length).toBeLessThanOrEqual(1)
  for (const status of statuses) expect(status).toMatch(/^4\d\d$/)
  expect(await alive()).toBe(200)
})

test.each(['TRACE', 'CONNECT', 'PROPFIND'])('the method %s is refused', async method => {
  for (const path of ['/api/status', '/v1/chat/completions', '/login']) {
    for (const status of await send(`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Content-Length: 0', '', '')) {
      expect(status).toMatch(/^4\d\d$/)
    }
  }
  expect(await alive()).toBe(200)
})

test.each([
  'GET http://localhost/api/user/self HTTP/1.1',
  'GET http://evil.example/api/user/self HTTP/1.1',
  'GET https://localhost:443/admin/users HTTP/1.1',
  'GET //localhost/api/user/self HTTP/1.1',
  'GET /api/user/self# HTTP/1.1',
  'OPTIONS * HTTP/1.1',
])('an absolute or odd address has the decision of its route: %s', async line => {
  for (const status of await send(line, 'Host: localhost', '', '')) expect(status).toMatch(/^(303|4\d\d)$/)
  expect(await alive()).toBe(200)
})

test('an oversized body is refused in the error format of its endpoint', async () => {
  const small = await startServer({ env: { MAX_REQUEST_MB: '1' } })
  await setUpAt(small)
  const told = async (path: string) => {
    const response = await fetch(small.url + path, { method: 'POST', body: 'x'.repeat(3_000_000) })
    return { status: response.status, text: await response.text() }
  }
  expect(await told('/preferences')).toMatchObject({ status: 413, text: expect.stringContaining('<!DOCTYPE html>') })
  const { status, text } = await told('/api/user/login')
  expect(status).toBe(413)
  expect(JSON.parse(text)).toMatchObject({ success: false, code: 'error.too_large' })
  await small.stop('SIGKILL')
})

/** Longer than the thirty seconds that a silent connection may stay. */
const SILENCE_MS = 33_000

/** Those who hold a connection and hardly say anything over it. */
const dawdlers: [beginning: (key: string) => string, crumb: string][] = [
  [() => 'GET /healthz HTTP/1.1\r\nhost: ', ''],
  [() => 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-long: ', 'a'],
  [() => 'POST /api/user/login HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000\r\n\r\n', ' '],
  [key => `${chatHead(key)}content-length: 100000\r\n\r\n`, ' '],
  [key => `${chatHead(key)}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
]
const OF_EACH = 50
const A_CRUMB_EVERY_MS = 3000
const chatHead = (key: string) =>
  `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer sk-${key}\r\n`

/** Resolves when the server has had enough. */
function dawdle(beginning: string, crumb: string): Promise<void> {
  const { port } = new URL(server.url)
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(beginning))
  const crumbs = setInterval(() => socket.write(crumb), A_CRUMB_EVERY_MS)
  socket.on('error', () => undefined).on('close', resolve)
  return promise.finally(() => clearInterval(crumbs))
}

test('idle sockets are closed, while a call may wait for its upstream', async () => {
  upstream.scripts(model, async (call, answer) => {
    await Bun.sleep(SILENCE_MS)
    await chat({ text: 'Done.' })(call, answer)
  })
  const closed = dawdlers.flatMap(([beginning, crumb]) =>
    Array.from({ length: OF_EACH }, () => dawdle(beginning(key), crumb)),
  )
  const thinking = ask(server.url, key, { model, content: 'Think', stream: true })
  expect(await alive()).toBe(200)
  await Promise.all(closed)
  expect(await thinking).toMatchObject({ status: 200, whole: true })
  expect(upstream.journal).toHaveLength(1)
})
