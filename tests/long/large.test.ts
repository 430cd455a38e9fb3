// @engine sqlite
/** Upstreams that send far too much: none of it is held beyond the cap, and nobody pays for it. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { residentMb } from '../support/app/resident-memory.ts'
import { run, type Server, startServer } from '../support/app/server.ts'
import { makeSite } from '../support/app/site.ts'
import { openCall, readToEnd, statusIn } from '../support/people/raw-call.ts'
import { gzipBomb, hugeAnswer, largeAnswer, tinyEvents } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream, type Script, type Upstream } from '../support/upstream/openai.ts'

const model = 'gpt-4o'
const AT_ONCE = 20
/** Larger than what many may take up at a time, smaller than what one may. */
const LARGE_MB = 60

let server: Server
let upstream: Upstream
let key: string
/** Each test has its own, since a channel that has failed so often rests. */
beforeEach(async () => {
  server = await startServer()
  upstream = await fakeUpstream()
  key = await makeSite(server.url, upstream, model)
})
afterEach(async () => {
  await server.stop('SIGKILL')
  upstream.stop()
})

const booksAreTrue = async () => (await run(['audit'], { folder: server.folder })).code === 0

/** What they hear who all ask at once, and how much memory the gateway takes beyond what it had. */
async function flood(body: object) {
  const before_mb = residentMb(server.process.pid)
  let most_mb = 0
  const watching = setInterval(() => {
    most_mb = Math.max(most_mb, residentMb(server.process.pid))
  }, 20)
  const calls = Array.from({ length: AT_ONCE }, () => readToEnd(openCall(server.url, key, body)))
  const received = await Promise.all(calls)
  clearInterval(watching)
  expect(await booksAreTrue()).toBe(true)
  return { received, grown_mb: most_mb - before_mb }
}

/** And what may be in hand of them, in MB, garbage included: far less than all of it, far more than it mostly is. */
const floods: [string, Script, number][] = [
  ['300 MB, as they say', hugeAnswer(300, 'sized'), 400],
  ['300 MB', hugeAnswer(300, 'chunked'), 2600],
  ['512 MB in 512 KB', gzipBomb(512), 3500],
  ['an error, 512 MB in 512 KB', gzipBomb(512, 500), 1500],
]

test.each(floods)(
  'twenty oversized responses at once, %s: each ends at the limit with an error',
  async (_, script, spare_mb) => {
    upstream.scripts(model, script)
    const { received, grown_mb } = await flood({ model })
    expect(received.map(statusIn)).toEqual(Array(AT_ONCE).fill(502))
    for (const call of upstream.journal) await call.ended
    expect(grown_mb).toBeLessThan(spare_mb)
  },
)

test.each(['sized', 'chunked'] as const)(
  'twenty large responses at once, %s, all come, though few are taken in at a time',
  async framing => {
    upstream.scripts(model, largeAnswer(LARGE_MB, framing))
    const { received, grown_mb } = await flood({ model })
    for (const text of received) expect(text.length).toBeGreaterThan(LARGE_MB * 1_048_576)
    expect(grown_mb).toBeLessThan(2.5 * AT_ONCE * LARGE_MB)
  },
)

test('two hundred thousand tiny events in one piece', async () => {
  upstream.scripts(model, tinyEvents(200_000))
  const received = await readToEnd(openCall(server.url, key, { model, stream: true }))
  expect(received).toContain('data: [DONE]\n\n')
  expect(await booksAreTrue()).toBe(true)
})
