/**
 * Callers who come at their own pace, whether those before them have been served or not. It is a process of its own, so
 * that no other process is kept from coming: `bun tests/support/people/open-loop.ts CROWD`.
 */
import { requestOf } from './raw-call.ts'

export interface Crowd {
  url: string
  key: string
  /** What each asks for. */
  body: object
  /** What an answer that came whole ends with, more or less. */
  whole: string
  per_second: number
  seconds: number
  /** After so long without the end of an answer, a caller leaves. */
  patience_ms: number
}

export interface Outcome {
  /** Answers that came whole. */
  served: number
  /** Answers of 503, with the time after which to come again. */
  turned_away: number
  /** Callers who left, or were left. */
  lost: number
}

const TICK_MS = 10
const TAIL = 500

async function arrive(crowd: Crowd): Promise<Outcome> {
  const outcome: Outcome = { served: 0, turned_away: 0, lost: 0 }
  const calls: Promise<keyof Outcome>[] = []
  const begin = performance.now()
  const all = Math.round(crowd.seconds * crowd.per_second)
  while (calls.length < all) {
    const due = Math.min(all, ((performance.now() - begin) / 1000) * crowd.per_second)
    while (calls.length < due) calls.push(call(crowd))
    await Bun.sleep(TICK_MS)
  }
  for (const end of await Promise.all(calls)) outcome[end]++
  return outcome
}

function call({ url, key, body, whole, patience_ms }: Crowd): Promise<keyof Outcome> {
  const { hostname, port } = new URL(url)
  const { promise, resolve } = Promise.withResolvers<keyof Outcome>()
  let [head, tail] = ['', '']
  const end = () => {
    if (tail.includes(whole)) resolve('served')
    else resolve(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: \d/i.test(head) ? 'turned_away' : 'lost')
  }
  Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open(socket) {
        setTimeout(() => socket.terminate(), patience_ms)
        socket.write(requestOf(url, key, body))
      },
      data(_, piece) {
        if (head.length < TAIL) head += piece.toString('latin1', 0, TAIL)
        tail = (tail + piece.toString('latin1', Math.max(0, piece.length - TAIL))).slice(-TAIL)
      },
      close: end,
      error: () => undefined,
    },
  }).catch(end)
  return promise
}

if (import.meta.main) {
  process.stdout.write(JSON.stringify(await arrive(JSON.parse(process.argv[2]!))))
  process.exit(0)
}
