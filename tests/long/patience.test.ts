/** Answers that are long in coming, and callers who do not wait for them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chat } from '../support/scripts.ts'
import { run, type Server, startServer } from '../support/server.ts'
import { makeSite } from '../support/site.ts'
import { heardFrom, openCall } from '../support/sockets.ts'
import { fakeUpstream, type Upstream } from '../support/upstream.ts'

const quick = 'gpt-4o'
const slow = 'gpt-4o-mini'
const SILENCE_MS = 200_000
const DROPPED = 1000
/** After a caller has gone, until the bill is written. */
const BILLING_MS = 2000

let server: Server
let upstream: Upstream
let key: string
beforeAll(async () => {
  server = await startServer()
  upstream = await fakeUpstream()
  key = await makeSite(server.url, upstream, `${quick},${slow}`)
})
afterAll(async () => {
  await server.stop('SIGKILL')
  upstream.stop()
})

const booksAreTrue = async () => (await run(['audit'], { folder: server.folder })).code === 0

/** In hundredths of a dollar. */
async function spent(): Promise<number> {
  const headers = { authorization: `Bearer sk-${key}` }
  const answer = await fetch(`${server.url}/v1/dashboard/billing/usage`, { headers })
  return ((await answer.json()) as { total_usage: number }).total_usage
}

async function dropAtFirstByte() {
  const socket = openCall(server.url, key, { model: quick, stream: true })
  await new Promise(resolve => socket.once('data', resolve))
  socket.destroy()
}

test('a thousand calls dropped at the first byte are no free answers', async () => {
  const text = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ')
  upstream.says(quick, chat({ text, pause_ms: 5 }))
  const before = await spent()
  const first = upstream.journal.length
  for (let done = 0; done < DROPPED; done += 100) await Promise.all(Array.from({ length: 100 }, dropAtFirstByte))
  const calls = upstream.journal.slice(first)
  expect(calls).toHaveLength(DROPPED)
  expect(new Set(await Promise.all(calls.map(call => call.ended)))).toEqual(new Set(['aborted']))
  await Bun.sleep(BILLING_MS)
  // Eight tokens of prompt a call, at 2.50 dollars a million.
  expect((await spent()) - before).toBeGreaterThanOrEqual((DROPPED * 8 * 2.5 * 100) / 1_000_000)
  expect(await booksAreTrue()).toBe(true)
}, 120_000)

test(
  'two hundred seconds before the first word, without a comment: the answer comes all the same',
  async () => {
    upstream.says(slow, async (call, answer) => {
      await Bun.sleep(SILENCE_MS)
      await chat({ text: 'at last' })(call, answer)
    })
    const heard = await heardFrom(openCall(server.url, key, { model: slow, stream: true }))
    expect(heard).toContain('data: [DONE]\n\n')
    expect(heard).not.toContain('PING')
    expect(await booksAreTrue()).toBe(true)
  },
  SILENCE_MS + 60_000,
)
