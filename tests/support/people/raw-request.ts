/** Requests byte by byte, and all that comes back, for what no client library sends. */
import { connect } from 'node:net'

export interface RawRequest {
  /** Sends more. */
  write(text: string | Uint8Array): void
  /** Status lines of what came, once the server has closed the connection. */
  statuses: Promise<number[]>
  /** All that came, once the server has closed the connection. */
  answer: Promise<{ status: number; head: string; body: string }>
  destroy(): void
}

export function rawRequest(url: string, lines: readonly string[], body: string | Uint8Array = ''): RawRequest {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  if (body.length) socket.write(body)
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece)).on('error', () => undefined)
  const closed = new Promise<string>(resolve => {
    socket.on('close', () => resolve(Buffer.concat(pieces).toString('utf8')))
  })
  const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  return {
    write: text => void socket.write(text),
    statuses: closed.then(statusesIn),
    answer: closed.then(text => {
      const end = text.indexOf('\r\n\r\n')
      return { status: statusesIn(text)[0]!, head: text.slice(0, end), body: text.slice(end + 4) }
    }),
    destroy: () => void socket.destroy(),
  }
}
