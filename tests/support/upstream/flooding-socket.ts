/** A hostile WebSocket upstream, byte by byte: after the handshake it sends one message that does not end. */

import { afterAll } from 'bun:test'
import { createHash } from 'node:crypto'
import { createServer } from 'node:net'

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const PIECE = Buffer.alloc(1_048_576, 'a')
/** Pieces of the message. */
const PIECES = 100
const [CONTINUED, TEXT] = [0x00, 0x01]

/** A head of a frame of the server, with its length in eight bytes. */
function frameHead(opcode: number, length: number): Buffer {
  const head = Buffer.alloc(10)
  head[0] = opcode
  head[1] = 127
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

export interface FloodingSocket {
  url: string
  /** Bytes that the last connection has taken; -1 while it is open. */
  taken: number
}

/** @param fragments sends the message in a frame for each piece, else in one */
export async function floodingSocket(fragments: boolean): Promise<FloodingSocket> {
  const flood: FloodingSocket = { url: '', taken: -1 }
  const server = createServer(socket => {
    const closed = new Promise<void>(resolve => socket.on('close', () => resolve()))
    void closed.then(() => {
      flood.taken = socket.bytesWritten
    })
    socket.on('error', () => undefined)
    socket.once('data', async request => {
      const key = /sec-websocket-key: *(\S+)/i.exec(request.toString())?.[1] ?? ''
      const accept = createHash('sha1')
        .update(key + GUID)
        .digest('base64')
      const head = ['HTTP/1.1 101 Switching Protocols', 'upgrade: websocket', 'connection: Upgrade']
      socket.write(`${[...head, `sec-websocket-accept: ${accept}`].join('\r\n')}\r\n\r\n`)
      const write = (bytes: Buffer) => new Promise<void>(resolve => socket.write(bytes, () => resolve()))
      // The last fragment, which would end the message, never comes.
      if (!fragments) await write(Buffer.concat([frameHead(0x80 | TEXT, PIECES * PIECE.length)]))
      for (let piece = 0; piece < PIECES && !socket.destroyed; piece++) {
        if (fragments) await write(frameHead(piece ? CONTINUED : TEXT, PIECE.length))
        await Promise.race([write(PIECE), closed])
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  flood.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  return flood
}
