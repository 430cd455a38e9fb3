// @engine sqlite
/** Crowds of streams: every one ends well, slow readers cost the gateway next to nothing, and who leaves has paid. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { residentMb } from '../support/app/resident-memory.ts'
import { run, type Server, startServer } from '../support/app/server.ts'
import { makeSite, setOption } from '../support/app/site.ts'
import { openCall, readToEnd, statusIn } from '../support/people/raw-call.ts'
import { chat, streams } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream, type Upstream } from '../support/upstream/openai.ts'

const model = 'gpt-4o'

let server: Server
let upstream: Upstream
let key: string
/** Each crowd meets a gateway that is fresh. */
beforeEach(async () => {
  server = await startServer()
  upstream = await fakeUpstream()
  key = await makeSite(server.url, upstream, model)
})
afterEach(async () => {
  expect((await run(['audit'], { folder: server.folder })).code).toBe(0)
  expect(server.output()).not.toContain('bug')
  await server.stop('SIGKILL')
  upstream.stop()
})

/** Each is paid for: without a limit, a thousand calls would reserve more than the balance. */
const call = () => openCall(server.url, key, { model, stream: true, max_tokens: 1000 })

/** The most memory that the gateway takes beyond what it has now, until it is asked. */
function watchGrowth() {
  const before_mb = residentMb(server.process.pid)
  let most_mb = before_mb
  const watching = setInterval(() => {
    most_mb = Math.max(most_mb, residentMb(server.process.pid))
  }, 100)
  return () => {
    clearInterval(watching)
    return most_mb - before_mb
  }
}

/** The whole answer; who is told to come again later does. */
async function receive(): Promise<string> {
  const received = await readToEnd(call())
  if (statusIn(received) !== 503) return received
  await Bun.sleep(1000)
  return receive()
}

/** For each of a thousand streams. */
const STREAM_MB = 0.4

test.each([100, 1000, 2000])('%i streams at once, ten events a second each, all end with [DONE]', async count => {
  await setOption(server.url, 'KeyConcurrencyLimit', String(count))
  upstream.scripts(model, chat({ text: 'x'.repeat(100), chunks: 100, pause_ms: 100 }))
  const growth = watchGrowth()
  const received = await Promise.all(Array.from({ length: count }, receive))
  expect(growth()).toBeLessThan(Math.max(100, count * STREAM_MB))
  expect(received.filter(text => text.includes('data: [DONE]\n\n'))).toHaveLength(count)
})

const READERS = 200
/** Far more than the network itself holds of a connection. */
const FLOOD_EVENTS = 4000
/** A reader's share of what the gateway has in hand, garbage included; were it not to wait, it would be 40 MB. */
const SHARE_MB = 4
const READERS_TO_THE_END = 5
const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x' } }], padding: 'x'.repeat(10_000) })}\n\n`

/** Takes a piece now and then, until it is told to go on. */
function readSlowly(socket: Socket): () => void {
  const rest = () => void socket.pause()
  socket.on('data', rest)
  const clock = setInterval(() => socket.resume(), 5000)
  return () => {
    clearInterval(clock)
    socket.off('data', rest).resume()
  }
}

test('two hundred slow readers of a fast upstream lose nothing, and little is held for them', async () => {
  upstream.scripts(model, streams([...Array(FLOOD_EVENTS).fill(event), 'data: [DONE]\n\n']))
  const growth = watchGrowth()
  const sockets = Array.from({ length: READERS }, call)
  const [staying, leaving] = [sockets.slice(0, READERS_TO_THE_END), sockets.slice(READERS_TO_THE_END)]
  const received = staying.map(readToEnd)
  const goOn = sockets.map(readSlowly)
  await Bun.sleep(20_000)
  expect(growth()).toBeLessThan(READERS * SHARE_MB)

  for (const socket of leaving) socket.destroy()
  for (const read of goOn) read()
  for (const text of await Promise.all(received)) {
    expect(text).toContain('data: [DONE]\n\n')
    expect(text.length).toBeGreaterThan(FLOOD_EVENTS * event.length)
  }
  // Few fast streams of a user run at a time: those that left while they waited were not sent.
  const ends = await Promise.all(upstream.journal.map(({ ended }) => ended))
  expect(ends.filter(end => end === 'completed')).toHaveLength(READERS_TO_THE_END)
  expect(ends.filter(end => end === 'aborted')).toHaveLength(ends.length - READERS_TO_THE_END)
})

const LEAVING = 1000
/** Quota of the reported question and the whole answer, rounded for each call; 500,000 are a dollar. */
const LEAST_CENTS = (LEAVING * Math.round(9 * 1.25 + 200 * 5) * 100) / 500_000

/** In hundredths of a dollar. */
async function spent(): Promise<number> {
  const headers = { authorization: `Bearer sk-${key}` }
  const answer = await fetch(`${server.url}/v1/dashboard/billing/usage`, { headers })
  return ((await answer.json()) as { total_usage: number }).total_usage
}

/** Leaves with the first word in hand; who is told to come again does. */
async function leaveEarly(): Promise<void> {
  const socket = call()
  const received = await new Promise<boolean>(resolve => {
    socket.on('data', (piece: Buffer) => piece.includes('word0') && resolve(true)).on('close', () => resolve(false))
  })
  socket.destroy()
  if (received) return
  await Bun.sleep(1000)
  return leaveEarly()
}

test('a thousand calls dropped at their first word cost what the upstream reports', async () => {
  const text = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ')
  await setOption(server.url, 'SettleAfterLeave', '60')
  upstream.scripts(model, chat({ text, pause_ms: 5 }))
  for (let done = 0; done < LEAVING; done += 100) await Promise.all(Array.from({ length: 100 }, leaveEarly))
  expect(upstream.journal).toHaveLength(LEAVING)
  expect(new Set(await Promise.all(upstream.journal.map(call => call.ended)))).toEqual(new Set(['completed']))
  while ((await spent()) < LEAST_CENTS) await Bun.sleep(50)
})
