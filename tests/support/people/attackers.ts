/** Clients that hold what they are given: uploads that hardly come, and readers that do not read. Over sockets of their own. */
import { connect, type Socket } from 'node:net'
import { requestOf } from './raw-call.ts'

export interface Attack {
  sockets: Socket[]
  /** Number of sockets that the server has closed so far. */
  closed(): number
  end(): void
}

const CRUMB_EVERY_MS = 1000

/**
 * So many uploads that announce nearly the largest body, each a byte a second; one that is closed is opened again.
 * @param keys are used in turn
 */
export function idleUploads(url: string, keys: readonly string[], count: number): Attack {
  return attack(url, count, (socket, index) => {
    const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer sk-${keys[index % keys.length]}`
    socket.write(`${head}\r\ncontent-type: application/json\r\ncontent-length: 67000000\r\n\r\n{"a": `)
    const crumbs = setInterval(() => socket.write(' '), CRUMB_EVERY_MS)
    socket.on('close', () => clearInterval(crumbs))
    socket.resume()
  })
}

/** So many calls whose answers are not read; one that is closed is opened again. @param body of each call */
export function stalledReaders(url: string, keys: readonly string[], count: number, body: object): Attack {
  return attack(url, count, (socket, index) => {
    socket.write(requestOf(url, keys[index % keys.length]!, body))
    socket.pause()
  })
}

function attack(url: string, count: number, begin: (socket: Socket, index: number) => void): Attack {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  let closed = 0
  let isOver = false
  const open = (index: number) => {
    const socket = connect(Number(port), hostname, () => begin(socket, index))
    sockets[index] = socket
    socket.on('error', () => undefined)
    socket.on('close', () => {
      closed++
      if (!isOver) open(index)
    })
  }
  for (let index = 0; index < count; index++) open(index)
  return {
    sockets,
    closed: () => closed,
    end() {
      isOver = true
      for (const socket of sockets) socket.destroy()
    },
  }
}
