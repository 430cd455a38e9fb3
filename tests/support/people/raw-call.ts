/** Calls over sockets of their own: `fetch` keeps no more than 256 requests in flight, and reads ahead. */
import { connect, type Socket } from 'node:net'

/** A chat call that has been sent; what comes back is for the caller to read, or not. */
export function openCall(url: string, key: string, body: object): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname, () => socket.write(requestOf(url, key, body)))
  return socket.on('error', () => undefined)
}

/** A chat call as it goes over the wire, the last of its connection. */
export function requestOf(url: string, key: string, body: object): string {
  const { host } = new URL(url)
  const text = JSON.stringify({ messages: [{ role: 'user', content: 'Say hello' }], ...body })
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    `host: ${host}`,
    `authorization: Bearer sk-${key}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${text}`
}

/** All that comes until the connection ends, however it ends. */
export function readToEnd(socket: Socket): Promise<string> {
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  return new Promise(resolve => socket.once('close', () => resolve(Buffer.concat(pieces).toString('latin1'))))
}

/** The status of an answer as it came. */
export const statusIn = (received: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1])
