/** A machine that stops for a while, as small ones do, and goes on: nobody is turned away for it. */
import { afterAll, expect, test } from 'bun:test'
import { chat } from '../support/scripts.ts'
import { startServer } from '../support/server.ts'
import { makeSite } from '../support/site.ts'
import { fakeUpstream } from '../support/upstream.ts'

const model = 'gpt-4o-mini'
const CALLERS = 20
/** Longer than a server that is behind may be before it turns everyone away. */
const PAUSE_MS = 3500

const upstream = await fakeUpstream()
upstream.says(model, chat())
const server = await startServer()
afterAll(async () => {
  await server.stop('SIGKILL')
  upstream.stop()
})

test('who called meanwhile is answered', async () => {
  const key = await makeSite(server.url, upstream, model)
  const call = async () => {
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] })
    const headers = { authorization: `Bearer sk-${key}` }
    return (await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', headers, body })).status
  }
  expect(await call()).toBe(200)
  server.process.kill('SIGSTOP')
  const calls = Array.from({ length: CALLERS }, call)
  await Bun.sleep(PAUSE_MS)
  server.process.kill('SIGCONT')
  expect(await Promise.all(calls)).toEqual(Array(CALLERS).fill(200))
})
