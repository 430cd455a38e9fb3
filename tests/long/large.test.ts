/** Upstreams that send far too much: none of it is held beyond the cap, and nobody pays for it. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { residentMb } from '../support/memory.ts'
import { hugeAnswer, tinyEvents } from '../support/scripts.ts'
import { run, type Server, startServer } from '../support/server.ts'
import { makeSite } from '../support/site.ts'
import { heardFrom, openCall, statusIn } from '../support/sockets.ts'
import { fakeUpstream, type Upstream } from '../support/upstream.ts'

const model = 'gpt-4o'
const AT_ONCE = 20
/** What one whole answer may take up while it comes. */
const CAP_MB = 64
const A_FLOOD_MS = 120_000

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

test.each(['sized', 'chunked'] as const)(
  'twenty answers of 300 MB at once, %s: each is cut at the cap and told as a failure',
  async framing => {
    upstream.says(model, hugeAnswer(300, framing))
    const before_mb = residentMb(server.process.pid)
    let most_mb = 0
    const watching = setInterval(() => {
      most_mb = Math.max(most_mb, residentMb(server.process.pid))
    }, 50)
    const heard = await Promise.all(
      Array.from({ length: AT_ONCE }, () => heardFrom(openCall(server.url, key, { model }))),
    )
    clearInterval(watching)
    expect(heard.map(statusIn)).toEqual(Array(AT_ONCE).fill(502))
    for (const call of upstream.journal) expect(await call.ended).toBe('aborted')
    expect(most_mb - before_mb).toBeLessThan(2 * AT_ONCE * CAP_MB)
    expect(await booksAreTrue()).toBe(true)
  },
  A_FLOOD_MS,
)

test(
  'two hundred thousand tiny events in one piece',
  async () => {
    upstream.says(model, tinyEvents(200_000))
    const heard = await heardFrom(openCall(server.url, key, { model, stream: true }))
    expect(heard).toContain('data: [DONE]\n\n')
    expect(await booksAreTrue()).toBe(true)
  },
  A_FLOOD_MS,
)
