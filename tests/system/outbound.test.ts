// @engine sqlite
// @tier long
/** Upstreams that never respond occupy only their own callers. */
import { afterAll, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { startServer } from '../support/app/server.ts'
import { ask, makeSite, rootsCredentials, setOption } from '../support/app/site.ts'
import { openCall } from '../support/people/raw-call.ts'
import { chat, hangs } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

/** Far more than the requests that the runtime keeps in flight by itself, 256. */
const HUNG = 1024
const dead = 'gpt-4o'
const healthy = 'gpt-4o-mini'

const upstream = await fakeUpstream()
upstream.scripts(dead, hangs())
upstream.scripts(healthy, chat({ text: 'As ever.' }))
const server = await startServer()
afterAll(async () => {
  await server.stop('SIGKILL')
  upstream.stop()
})

const post = (path: string, body: object) => fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) })

test('a thousand calls without a response delay no other call, sign-in or health check', async () => {
  const key = await makeSite(server.url, upstream, `${dead},${healthy}`)
  await setOption(server.url, 'KeyConcurrencyLimit', '0')
  const hung = new Set<Socket>()
  let over = false
  /** Who is told to come again does. */
  const hang = () => {
    const socket = openCall(server.url, key, { model: dead }).resume()
    hung.add(socket)
    socket.once('close', () => hung.delete(socket) && !over && setTimeout(hang, 100))
  }
  for (let call = 0; call < HUNG; call++) hang()
  while (upstream.journal.length < HUNG) await Bun.sleep(10)

  const question = { model: healthy, content: 'Are you well?' }
  // Just after such a crowd has come, the next one may be told to come again.
  for (const stream of [false, true])
    while (!(await ask(server.url, key, { ...question, stream })).whole) await Bun.sleep(100)
  expect(await (await post('/api/user/login', rootsCredentials)).json()).toMatchObject({ success: true })
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)

  over = true
  for (const socket of hung) socket.destroy()
  for (const call of upstream.journal.slice(0, HUNG)) expect(await call.ended).toBe('aborted')
})
