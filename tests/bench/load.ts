/** The load: so many connections kept alive, each sending its next request as soon as the last answer is whole. */
import type { Socket } from 'bun'

export type Load = {
  url: string
  key: string
  model: string
  stream: boolean
  connections: number
  /** It ends by whichever comes first; requests under way are waited for. */
  seconds: number
  requests: number
  /** Of a connection, between an answer and the next request. */
  pause_ms?: number
  /** Chats unless given. */
  path?: string
  /** Fields of the body, in place of those that a chat has. */
  fields?: object
}

export type Result = {
  requests: number
  failed: number
  /** How the first call that failed ended: the head of its answer, or what happened to its connection. */
  failure: string | undefined
  seconds: number
  p50_ms: number
  p95_ms: number
  p99_ms: number
  /** From the upstream's saying the first word to its being here, where the upstream tells when it said it. */
  word_p50_ms: number | null
  word_p99_ms: number | null
}

type Connection = {
  sent_at: number
  tail: Buffer
  left: number | 'chunked' | undefined
  ok: boolean
  busy: boolean
  received: boolean
  head: string
}

/** A first word begins with this when the time follows at which it was said. */
export const SAID_AT = 'said at '

const PROMPT = 'Please count with me, slowly and in order. '.repeat(22)
const none = Buffer.alloc(0)
const unheard: Connection = {
  ...{ sent_at: 0, tail: none, left: undefined, ok: false },
  ...{ busy: false, received: false, head: 'no connection' },
}
const END_OF_CHUNKS = '\r\n0\r\n\r\n'
const DONE = 'data: [DONE]'
const LINE_FEED = 10
const ZERO = 48
const GRACE_MS = 30_000
/** Of the body of an answer that was not 200. */
const SHOWN_BYTES = 300

export async function run(load: Load): Promise<Result> {
  const { hostname, port } = new URL(load.url)
  const request = requestOf(load)
  const took: number[] = []
  const words: number[] = []
  let failed = 0
  let failure: string | undefined
  let started = 0
  let open = load.connections
  const over = Promise.withResolvers<void>()
  const begin = performance.now()
  const stop_at = begin + load.seconds * 1000
  let last = begin

  const fail = (how: string) => {
    failed++
    failure ??= how
  }
  const next = (socket: Socket<Connection>) => {
    const at = performance.now()
    if (at >= stop_at || started >= load.requests) {
      socket.data.busy = false
      socket.end()
      return
    }
    started++
    Object.assign(socket.data, { ...unheard, sent_at: at, busy: true, head: 'no answer' })
    socket.write(request)
  }
  const finish = (socket: Socket<Connection>) => {
    last = performance.now()
    took.push(last - socket.data.sent_at)
    if (!socket.data.ok) fail(socket.data.head)
    void (load.pause_ms ? setTimeout(next, load.pause_ms, socket) : next(socket))
  }
  const hear = ({ data: connection }: Socket<Connection>, piece: Buffer) => {
    const at = connection.received ? -1 : piece.indexOf(SAID_AT)
    if (at < 0) return
    connection.received = true
    words.push(
      performance.timeOrigin + performance.now() - Number.parseFloat(piece.toString('latin1', at + SAID_AT.length)),
    )
  }
  const close = (socket: Socket<Connection>) => {
    if (socket.data.busy) fail(`closed: ${socket.data.head}`)
    if (--open === 0) over.resolve()
  }

  for (let index = 0; index < load.connections; index++)
    void Bun.connect<Connection>({
      hostname,
      port: Number(port),
      data: { ...unheard },
      socket: {
        open: next,
        data(socket, data) {
          if (load.model.startsWith('thoughtful')) hear(socket, data)
          if (read(socket.data, data, load.stream)) finish(socket)
        },
        close,
        error: socket => void socket.end(),
      },
    }).catch(error => {
      fail(String(error))
      if (--open === 0) over.resolve()
    })
  const patience = setTimeout(() => over.resolve(), load.seconds * 1000 + GRACE_MS)
  await over.promise
  clearTimeout(patience)

  return {
    requests: took.length,
    failed,
    failure,
    seconds: (last - begin) / 1000,
    ...percentilesOf(took),
    word_p50_ms: at(words, 0.5),
    word_p99_ms: at(words, 0.99),
  }
}

function requestOf(load: Load): Buffer {
  const { host } = new URL(load.url)
  const body = JSON.stringify({
    model: load.model,
    messages: [{ role: 'user', content: PROMPT }],
    ...(load.stream && { stream: true }),
    ...load.fields,
  })
  const head = `POST ${load.path ?? '/v1/chat/completions'} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${load.key}\r\ncontent-type: application/json`
  return Buffer.from(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

const percentilesOf = (took: number[]) => ({
  p50_ms: at(took, 0.5) ?? Number.NaN,
  p95_ms: at(took, 0.95) ?? Number.NaN,
  p99_ms: at(took, 0.99) ?? Number.NaN,
})

/** What so large a share of them does not exceed. */
function at(times: number[], share: number): number | null {
  times.sort((a, b) => a - b)
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? null
}

/** Takes in a piece of an answer; true when it is whole. Only the edges of it are looked at. */
function read(connection: Connection, data: Buffer, stream: boolean): boolean {
  let body = data
  if (connection.left === undefined) {
    const answer = connection.tail.length ? Buffer.concat([connection.tail, data]) : data
    const bodyAt = answer.indexOf('\r\n\r\n')
    if (bodyAt < 0) {
      connection.tail = answer
      return false
    }
    const head = answer.toString('latin1', 0, bodyAt)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    connection.ok = head.startsWith('HTTP/1.1 200')
    connection.head = answer.toString('latin1', 0, bodyAt + SHOWN_BYTES)
    connection.left = length === undefined ? 'chunked' : Number(length)
    connection.tail = none
    body = answer.subarray(bodyAt + 2)
    if (connection.left !== 'chunked') body = body.subarray(2)
  }
  if (connection.left !== 'chunked') {
    connection.left -= body.length
    return connection.left <= 0
  }
  if (body.length < 64) body = Buffer.concat([connection.tail, body]).subarray(-64)
  connection.tail = body
  if (body.at(-1) !== LINE_FEED || body.at(-5) !== ZERO) return false
  const tail = body.toString('latin1', body.length - 64)
  if (stream) connection.ok &&= tail.includes(DONE)
  return tail.endsWith(END_OF_CHUNKS)
}

if (import.meta.main) process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2]!))))
