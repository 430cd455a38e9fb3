// @engine sqlite
/**
 * Five times as many callers as can be served, who come whether those before them are done or not: the gateway goes on
 * doing what it can, turns the others away, and is itself again afterwards.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Load, Result } from '../bench/load.ts'
import { run, type Server, startServer } from '../support/app/server.ts'
import { ask, makeSite, setOption } from '../support/app/site.ts'
import type { Crowd, Outcome } from '../support/people/open-loop.ts'
import { streams } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream, type Upstream } from '../support/upstream/openai.ts'

const model = 'gpt-4o'
/** A dear answer: thousands of pieces, each written so that it has to be read. It is the gateway that has most to do. */
const piece = 'data: {"id": "x", "choices": [{"index": 0, "delta": {"content": "a"}}]}\n\n'
const last = 'data: {"id": "x", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
const answer = Buffer.from(piece.repeat(5000) + last)

const SATURATING = 16
const [WARM_SECONDS, PEAK_SECONDS, FLOOD_SECONDS] = [2, 5, 15]
const PATIENCE_MS = 8000
/** Callers per second, as a multiple of the peak: where the peak came out too low, more are tried. */
const [FLOOD_FACTOR, FLOOD_FACTOR_MAX] = [5, 40]
/** Far below what it is: other tests may run at the same time. Without turning anyone away, next to nothing is left. */
const SHARE_KEPT = 1 / 6
/** Four floods beside other tests. */
const TIMEOUT_MS = 900_000

let server: Server
let upstream: Upstream
let key: string
beforeAll(async () => {
  server = await startServer()
  upstream = await fakeUpstream()
  upstream.scripts(model, streams([answer]))
  key = await makeSite(server.url, upstream, model)
  await setOption(server.url, 'ModelRatio', JSON.stringify({ [model]: 0.001 }))
})
afterAll(async () => {
  await server.stop('SIGKILL')
  upstream.stop()
})

/** Those who call are other processes. */
async function elsewhere<T>(program: string, orders: object): Promise<T> {
  const child = Bun.spawn([process.execPath, program, JSON.stringify(orders)], { stdout: 'pipe', stderr: 'inherit' })
  return (await new Response(child.stdout).json()) as T
}

async function saturate(seconds: number): Promise<number> {
  const call = { url: server.url, key: `sk-${key}`, model, stream: true }
  const load: Load = { ...call, connections: SATURATING, seconds, requests: 1_000_000 }
  const { requests, failed, seconds: took } = await elsewhere<Result>('tests/bench/load.ts', load)
  expect(failed).toBe(0)
  return requests / took
}

/** The peak is too low when other tests had the cores meanwhile: where all are served, more come. */
async function flood(peak: number): Promise<Outcome> {
  for (let factor = FLOOD_FACTOR; ; factor *= 2) {
    const outcome = await comeAt(factor * peak)
    if (outcome.turned_away || factor >= FLOOD_FACTOR_MAX) return outcome
  }
}

const CONNECTIONS_MAX = 3

/** A kernel whose queue of handshakes is full drops some: another connection follows, unless the process has ended. */
async function statusNow(): Promise<number> {
  for (let connections = 1; ; connections++) {
    try {
      return (await fetch(`${server.url}/api/status`, { keepalive: false })).status
    } catch (error) {
      const { exitCode, signalCode } = server.process
      expect([exitCode, signalCode, server.output().slice(-500)]).toEqual([null, null, expect.any(String)])
      if (connections === CONNECTIONS_MAX) throw error
    }
  }
}

async function comeAt(per_second: number): Promise<Outcome> {
  const crowd: Crowd = {
    ...{ url: server.url, key, body: { model, stream: true, max_tokens: 10 }, whole: 'data: [DONE]' },
    ...{ per_second, seconds: FLOOD_SECONDS, patience_ms: PATIENCE_MS },
  }
  const flooded = elsewhere<Outcome>('tests/support/people/open-loop.ts', crowd)
  for (let second = 1; second < FLOOD_SECONDS; second++) {
    expect(await statusNow()).toBe(200)
    await Bun.sleep(1000)
  }
  return flooded
}

test(
  'it does what it can, and no less',
  async () => {
    await saturate(WARM_SECONDS)
    const peak = await saturate(PEAK_SECONDS)
    const { served, turned_away } = await flood(peak)
    expect(served / FLOOD_SECONDS).toBeGreaterThan(SHARE_KEPT * peak)
    expect(turned_away).toBeGreaterThan(0)

    while (!(await ask(server.url, key, { model, content: 'Better now?', stream: true })).whole) await Bun.sleep(100)
    expect((await run(['audit'], { folder: server.folder })).code).toBe(0)
    expect(server.output()).not.toContain('bug')
  },
  TIMEOUT_MS,
)
