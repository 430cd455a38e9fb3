/** HTTP/1.1 by hand, so that a test can answer with any bytes at all and end a connection in any manner. */
import { createServer, type Socket } from 'node:net'

export type Received = {
  method: string
  target: string
  headers: Record<string, string>
  /** As text. */
  body: string
  /** As it came. */
  bytes: Buffer
}
type Framing = 'chunked' | 'close' | number
type Bytes = string | Uint8Array

/** One answer on the wire. The script says what is sent and how it ends. */
export class ScriptedAnswer {
  sent_bytes = 0
  #framing: Framing = 'close'
  #cut: number | undefined
  #reset = false

  constructor(
    private socket: Socket,
    /** Resolves when the caller has gone. */
    readonly left: Promise<void>,
  ) {}

  get gone() {
    return this.socket.destroyed && !this.#reset
  }

  /** Everything from here on is sent in two writes, parted at this byte. */
  cutAt(offset: number) {
    this.#cut = offset
  }

  head(status: number, headers: Record<string, string>, framing: Framing) {
    this.#framing = framing
    const frame =
      framing === 'chunked' ? ['transfer-encoding: chunked'] : framing === 'close' ? [] : [`content-length: ${framing}`]
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return this.raw([`HTTP/1.1 ${status} Scripted`, ...lines, ...frame, '', ''].join('\r\n'), false)
  }

  /** A piece of the body, framed as the head promised. */
  async write(piece: Bytes) {
    const bytes = Buffer.from(piece as string)
    if (this.#cut === undefined || this.#cut >= bytes.length) {
      if (this.#cut !== undefined) this.#cut -= bytes.length
      return this.#framed(bytes)
    }
    const at = this.#cut
    this.#cut = undefined
    if (at > 0) await this.#framed(bytes.subarray(0, at))
    await Bun.sleep(1)
    await this.#framed(bytes.subarray(at))
  }

  async json(body: unknown, status = 200, headers: Record<string, string> = {}) {
    const bytes = Buffer.from(JSON.stringify(body))
    await this.head(status, { 'content-type': 'application/json', ...headers }, bytes.length)
    await this.write(bytes)
  }

  /** The proper end of a body: the terminator of a chunked one, the close of an unframed one. */
  async end() {
    if (this.#framing === 'chunked') await this.raw('0\r\n\r\n', false)
    if (this.#framing === 'close') this.fin()
  }

  fin() {
    this.socket.end()
  }

  reset() {
    this.#reset = true
    this.socket.resetAndDestroy()
  }

  raw(bytes: Bytes, counted = true): Promise<void> {
    if (this.gone) return Promise.resolve()
    if (counted) this.sent_bytes += bytes.length
    return new Promise(resolve => {
      this.socket.write(bytes, () => resolve())
      this.left.then(resolve)
    })
  }

  async #framed(bytes: Buffer) {
    if (this.#framing !== 'chunked') return this.raw(bytes)
    this.sent_bytes += bytes.length
    await this.raw(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]), false)
  }
}

/** Serves on a private port; `handle` resolves when the answer has ended. */
export async function listen(handle: (received: Received, answer: ScriptedAnswer) => Promise<void>) {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    serve(socket, handle)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Requests of one connection, one after another. */
function serve(socket: Socket, handle: (received: Received, answer: ScriptedAnswer) => Promise<void>) {
  let buffer: Buffer = Buffer.alloc(0)
  let busy = false
  const left = new Promise<void>(resolve => socket.once('close', () => resolve()))
  const next = async () => {
    const read = busy ? undefined : readRequest(buffer)
    if (!read) return
    busy = true
    buffer = buffer.subarray(read.length)
    await handle(read.received, new ScriptedAnswer(socket, left))
    busy = false
    await next()
  }
  socket.on('data', (data: Buffer) => {
    buffer = Buffer.concat([buffer, data])
    void next()
  })
}

/** A whole request at the start of the buffer, once it is there. */
function readRequest(buffer: Buffer): { received: Received; length: number } | undefined {
  const headEnd = buffer.indexOf('\r\n\r\n')
  if (headEnd < 0) return
  const [first, ...lines] = buffer.subarray(0, headEnd).toString('latin1').split('\r\n')
  const [method = '', target = ''] = first!.split(' ')
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const start = headEnd + 4
  const body = headers['transfer-encoding']
    ? readChunks(buffer, start)
    : readLength(buffer, start, Number(headers['content-length'] ?? 0))
  if (!body) return
  const { bytes, end } = body
  return { received: { method, target, headers, body: bytes.toString('utf8'), bytes }, length: end }
}

function readLength(buffer: Buffer, start: number, length: number) {
  if (buffer.length < start + length) return
  return { bytes: buffer.subarray(start, start + length), end: start + length }
}

function readChunks(buffer: Buffer, start: number) {
  const pieces: Buffer[] = []
  for (let at = start; ; ) {
    const lineEnd = buffer.indexOf('\r\n', at)
    if (lineEnd < 0) return
    const size = Number.parseInt(buffer.subarray(at, lineEnd).toString('latin1'), 16)
    const end = lineEnd + 2 + size + 2
    if (buffer.length < end) return
    if (size === 0) return { bytes: Buffer.concat(pieces), end }
    pieces.push(buffer.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = end
  }
}
