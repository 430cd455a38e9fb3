// @engine sqlite
/** A pause of the whole process, as on small machines, fails no call. */
import { afterAll, expect, test } from 'bun:test'
import { startServer } from '../support/app/server.ts'
import { ask, makeSite } from '../support/app/site.ts'
import { chat, gate } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const model = 'gpt-4o-mini'
/** It says something, and the rest while the machine stands still. */
const talker = 'gpt-4o'
/** It answers while the machine stands still. */
const thinker = 'gpt-4.1'
const CALLERS = 20
/** Longer than a server that is behind may be before it turns everyone away, and than an upstream may be silent. */
const PAUSE_MS = 3500
const silences = { UPSTREAM_TIMEOUT: '3', STREAM_IDLE_TIMEOUT: '3' }

const upstream = await fakeUpstream()
upstream.scripts(model, chat())
const held = gate()
upstream.scripts(talker, held.script)
const { promise: stopped, resolve: stops } = Promise.withResolvers<void>()
upstream.scripts(thinker, async (call, answer) => {
  await stopped
  await chat()(call, answer)
})
const server = await startServer({ env: silences })
afterAll(async () => {
  await server.stop('SIGKILL')
  upstream.stop()
})

test('calls and upstream bytes that arrive during a pause are served after it', async () => {
  const key = await makeSite(server.url, upstream, [model, talker, thinker].join())
  const call = async () => {
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] })
    const headers = { authorization: `Bearer sk-${key}` }
    return (await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', headers, body })).status
  }
  expect(await call()).toBe(200)
  const listening = ask(server.url, key, { model: talker, content: 'Talk', stream: true })
  const waiting = ask(server.url, key, { model: thinker, content: 'Think' })
  const asked = (name: string) => upstream.journal.some(({ body }) => body.model === name)
  while (!(asked(talker) && asked(thinker))) await Bun.sleep(5)
  server.process.kill('SIGSTOP')
  held.open()
  stops()
  const calls = Array.from({ length: CALLERS }, call)
  await Bun.sleep(PAUSE_MS)
  server.process.kill('SIGCONT')
  expect(await Promise.all(calls)).toEqual(Array(CALLERS).fill(200))
  for (const answer of await Promise.all([listening, waiting]))
    expect(answer).toMatchObject({ status: 200, whole: true })
})
