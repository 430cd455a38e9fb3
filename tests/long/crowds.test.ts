/** Crowds of streams: every one ends well, and slow readers cost the gateway next to nothing. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { residentMb } from '../support/memory.ts'
import { chat, streams } from '../support/scripts.ts'
import { run, type Server, startServer } from '../support/server.ts'
import { makeSite } from '../support/site.ts'
import { heardFrom, openCall } from '../support/sockets.ts'
import { fakeUpstream, type Upstream } from '../support/upstream.ts'

const steady = 'gpt-4o'
const flood = 'gpt-4o-mini'
const A_CROWD_MS = 120_000

let server: Server
let upstream: Upstream
let key: string
beforeAll(async () => {
  server = await startServer()
  upstream = await fakeUpstream()
  key = await makeSite(server.url, upstream, `${steady},${flood}`)
})
afterAll(async () => {
  await server.stop('SIGKILL')
  upstream.stop()
})

const booksAreTrue = async () => (await run(['audit'], { folder: server.folder })).code === 0

test.each([100, 1000, 2000])(
  '%i streams at once, ten events a second each, all end with [DONE]',
  async count => {
    upstream.says(steady, chat({ text: 'x'.repeat(100), chunks: 100, pause_ms: 100 }))
    const call = { model: steady, stream: true }
    const heard = await Promise.all(Array.from({ length: count }, () => heardFrom(openCall(server.url, key, call))))
    expect(heard.filter(text => text.includes('data: [DONE]\n\n'))).toHaveLength(count)
    expect(await booksAreTrue()).toBe(true)
  },
  A_CROWD_MS,
)

const READERS = 200
/** Far more than the network itself holds of a connection. */
const FLOOD_EVENTS = 4000
/** A reader's share of what the gateway has in hand, garbage included; were it not to wait, it would be 30 MB. */
const SHARE_MB = 8
const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x' } }], padding: 'x'.repeat(10_000) })}\n\n`

/** Takes a piece now and then. */
function readSlowly(socket: Socket): Timer {
  socket.on('data', () => socket.pause())
  return setInterval(() => socket.resume(), 1000)
}

test(
  'two hundred slow readers of a fast upstream: it waits for them, and little of it is held',
  async () => {
    upstream.says(flood, streams(Array(FLOOD_EVENTS).fill(event)))
    const before_mb = residentMb(server.process.pid)
    const first = upstream.journal.length
    const sockets = Array.from({ length: READERS }, () => openCall(server.url, key, { model: flood, stream: true }))
    const clocks = sockets.map(readSlowly)
    let most_mb = 0
    for (let second = 0; second < 20; second++) {
      await Bun.sleep(1000)
      most_mb = Math.max(most_mb, residentMb(server.process.pid))
    }
    expect(most_mb - before_mb).toBeLessThan(READERS * SHARE_MB)
    for (const clock of clocks) clearInterval(clock)
    for (const socket of sockets) socket.destroy()
    const calls = upstream.journal.slice(first)
    expect(calls).toHaveLength(READERS)
    for (const call of calls) expect(await call.ended).toBe('aborted')
    expect(await booksAreTrue()).toBe(true)
  },
  A_CROWD_MS,
)
