/** Streams that are asked for and not read: each begins again when it is closed. */
import type { Socket } from 'node:net'
import { openCall } from '../people/raw-call.ts'
import type { Attack } from './attack.ts'

/** Holds this many open, their keys in turn. */
export function stalledReaders(url: string, keys: string[], count: number, body: object): Attack {
  const seen: Record<string, number> = {}
  const sockets = new Set<Socket>()
  let stopped = false

  function open(key: string) {
    const socket = openCall(url, key, { stream: true, ...body })
    sockets.add(socket)
    // The status, and nothing more.
    socket.once('data', piece => {
      const status = /^HTTP\/1\.1 (\d+)/.exec(piece.toString('latin1'))?.[1] ?? 'unknown'
      seen[status] = (seen[status] ?? 0) + 1
      if (status === '200') socket.pause()
    })
    socket.on('close', () => {
      sockets.delete(socket)
      seen.closed = (seen.closed ?? 0) + 1
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
