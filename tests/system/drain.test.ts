// @engine sqlite
// @waits
/** DRAIN_SECONDS: balancers learn of the end before the port closes, and no call is lost meanwhile. */
import { afterAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { newFolder, type Server, startServer } from '../support/app/server.ts'
import { makeSite } from '../support/app/site.ts'
import { until } from '../support/until.ts'
import { chat, gate } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const model = 'gpt-4o-mini'
const DRAIN_SECONDS = 3

const upstream = await fakeUpstream()
const servers: Server[] = []
afterAll(async () => {
  upstream.stop()
  for (const server of servers) server.process.kill('SIGKILL')
})

async function begin(seconds = DRAIN_SECONDS) {
  upstream.scripts(model, chat())
  const server = await startServer({ folder: newFolder(), env: { DRAIN_SECONDS: String(seconds) } })
  servers.push(server)
  const key = await makeSite(server.url, upstream, model)
  const call = (more: object = {}) =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      keepalive: false,
      headers: { authorization: `Bearer sk-${key}` },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Count' }], ...more }),
    })
  return { server, key, call }
}

const readiness = ({ url }: Server) =>
  fetch(`${url}/readyz`, { keepalive: false }).then(
    ({ status }) => status,
    () => 'closed',
  )

test('after SIGTERM /readyz says 503 for DRAIN_SECONDS while calls are served, then the port closes', async () => {
  const { server, call } = await begin()
  expect(await readiness(server)).toBe(200)
  const since = performance.now()
  const stopped = server.stop()
  await until(async () => (await readiness(server)) === 503)
  while (performance.now() - since < (DRAIN_SECONDS - 1) * 1000) {
    const [response, page, api] = await Promise.all([
      call(),
      fetch(`${server.url}/login`),
      fetch(`${server.url}/healthz`),
    ])
    expect([response.status, page.status, api.status, await readiness(server)]).toEqual([200, 200, 200, 503])
    expect(response.headers.get('connection')).toBe('close')
    expect(((await response.json()) as { choices: unknown[] }).choices).toHaveLength(1)
    await page.text()
    await Bun.sleep(100)
  }
  expect(await stopped).toBe(0)
  expect(performance.now() - since).toBeGreaterThanOrEqual(DRAIN_SECONDS * 1000)
  expect(await readiness(server)).toBe('closed')
})

test('a connection that was kept alive is closed behind its next response after SIGTERM', async () => {
  const { server } = await begin()
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1')
  let received = ''
  let isClosed = false
  socket.on('data', bytes => {
    received += bytes
  })
  socket.on('close', () => {
    isClosed = true
  })
  const ask = () => socket.write('GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const responses = () => received.match(/HTTP\/1\.1 401/g)?.length ?? 0
  for (let count = 1; count <= 2; count++) {
    ask()
    await until(() => responses() === count)
  }
  expect([isClosed, /connection: close/i.test(received)]).toEqual([false, false])
  const stopped = server.stop()
  await until(async () => (await readiness(server)) === 503)
  ask()
  await until(() => isClosed)
  expect([responses(), /connection: close/i.test(received)]).toEqual([3, true])
  await stopped
})

test('a stream and a socket that began before SIGTERM or while /readyz says 503 run to their end', async () => {
  const { server, call } = await begin(1)
  const [before, during] = [gate(), gate()]
  upstream.scripts(model, before.script)
  const first = await call({ stream: true })
  const stopped = server.stop()
  await until(async () => (await readiness(server)) === 503)
  upstream.scripts(model, during.script)
  const second = await call({ stream: true })
  await until(async () => (await readiness(server)) === 'closed')
  before.open()
  during.open()
  for (const response of [first, second]) expect(await response.text()).toEndWith('data: [DONE]\n\n')
  expect(await stopped).toBe(0)
})

test('SIGINT again, seconds later, ends the waiting for balancers', async () => {
  const { server } = await begin(60)
  const since = performance.now()
  while (server.process.exitCode === null && performance.now() - since < 20_000) {
    server.process.kill('SIGINT')
    await Bun.sleep(50)
  }
  expect(server.process.exitCode).toBe(1)
})
