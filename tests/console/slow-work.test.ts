// @waits
// @tier long
/** Console requests whose work takes longer than a connection may be idle. */
import { afterAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { app } from '../support/app/app.ts'
import { type Person, setUp } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { makeChannel } from '../support/upstream/channel.ts'

/** Seconds that a connection may be idle in this file: more than a busy machine takes to begin the work. */
const IDLE_SECONDS = 10
app.listen({ port: 0, hostname: '127.0.0.1', idleTimeout: IDLE_SECONDS })
const port = app.server!.port!

let asked = 0
const { promise: spoken, resolve: speak } = Promise.withResolvers<void>()
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url)
    asked++
    await spoken
    if (pathname.endsWith('/models')) return Response.json({ object: 'list', data: [{ id: 'one' }] })
    if (pathname.includes('/billing/')) return Response.json({ object: 'list', hard_limit_usd: 5, total_usage: 100 })
    const message = { role: 'assistant', content: 'Hello' }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    return Response.json({ id: 'x', object: 'chat.completion', created: 1, model: 'one', choices })
  },
})
afterAll(() => upstream.stop(true))

const headersOf = ({ id, cookie }: Person) => ({
  cookie,
  'tollgate-user': String(id),
  origin: `http://127.0.0.1:${port}`,
  connection: 'close',
})

/** Resolves when the server closes a connection whose request stands still in the middle of its body. */
const stalledUpload = (person: Person) =>
  new Promise<void>(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      const head = Object.entries({ ...headersOf(person), host: `127.0.0.1:${port}`, 'content-length': '100' })
      socket.write(`POST /api/token/ HTTP/1.1\r\n${head.map(line => line.join(': ')).join('\r\n')}\r\n\r\n{"name":`)
    })
    socket.on('error', () => undefined).on('close', () => resolve())
  })

test('a console request keeps its connection for as long as its work takes, and loses it in the middle of a body', async () => {
  const root = await setUp()
  const [tried, listed, priced] = await Promise.all(
    ['tried', 'listed', 'priced'].map(name => makeChannel(root, { base_url: upstream.url.href + name, models: 'one' })),
  )
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', headers: headersOf(root), ...init })
  const page = { method: 'POST', body: new URLSearchParams({ csrf: root.csrf }) }
  const answers = [
    send(`/api/channel/test/${tried!.id}`),
    send(`/admin/channels/${tried!.id}/test`, page),
    send(`/api/channel/fetch_models/${listed!.id}`),
    send(`/api/channel/update_balance/${priced!.id}`),
  ].map(answer => answer.then(({ status }) => status, String))
  await until(() => asked === answers.length)
  // By the time that the server closes this connection, all others have been idle for longer.
  await stalledUpload(root)
  speak()
  expect(await Promise.all(answers)).toEqual([200, 303, 200, 200])
})
