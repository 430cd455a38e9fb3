// @engine sqlite
/** Many concurrent sign-ins: passwords are verified two at a time. */
import { afterAll, expect, test } from 'bun:test'
import { residentMb } from '../support/app/resident-memory.ts'
import { startServer } from '../support/app/server.ts'
import { ask, makeSite, rootsCredentials } from '../support/app/site.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const model = 'gpt-4o'
const AT_ONCE = 20
/** One check takes 64. */
const SPARE_MB = 512

const upstream = await fakeUpstream()
const server = await startServer()
afterAll(async () => {
  await server.stop('SIGKILL')
  upstream.stop()
})

async function signIn(credentials: object) {
  const answer = await fetch(`${server.url}/api/user/login`, { method: 'POST', body: JSON.stringify(credentials) })
  return ((await answer.json()) as { success: boolean }).success
}

test('concurrent sign-ins take little memory, delay no stream and succeed with the right password', async () => {
  upstream.scripts(model, chat({ text: 'x'.repeat(50), chunks: 50, pause_ms: 20 }))
  const key = await makeSite(server.url, upstream, model)
  const before_mb = residentMb(server.process.pid)
  let most_mb = 0
  const watching = setInterval(() => {
    most_mb = Math.max(most_mb, residentMb(server.process.pid))
  }, 20)
  const strangers = Array.from({ length: AT_ONCE }, (_, index) =>
    signIn({ username: `u${index}`, password: 'a wrong one' }),
  )
  const stream = ask(server.url, key, { model, content: 'Go on', stream: true })
  expect(await signIn(rootsCredentials)).toBe(true)
  expect(await stream).toMatchObject({ status: 200, whole: true })
  expect(await Promise.all(strangers)).toEqual(Array(AT_ONCE).fill(false))
  clearInterval(watching)
  expect(most_mb - before_mb).toBeLessThan(SPARE_MB)
})
