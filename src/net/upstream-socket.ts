/** WebSockets to upstreams: opened by the channel's route, and read as a response whose stream has an event per message. */
import { type OutgoingRoute, socketRoute } from './tunnel.ts'
import { explained, NetworkError } from './upstream-fetch.ts'

const CONNECT_TIMEOUT_MS = 30_000
/** Bytes of one message, and of messages that wait to be read: an upstream that sends more is cut off. */
const MESSAGE_MAX_BYTES = 16 * 1_048_576
const NORMAL = 1000

/** The handshake was refused. */
export class HandshakeRefused extends Error {
  constructor(readonly status: number) {
    super(`handshake refused with ${status}`)
  }
}

/** The DOM's type lacks the options of Bun's constructor. */
const Socket = WebSocket as unknown as new (url: string, options: Bun.WebSocketOptions) => Bun.WebSocket

/**
 * An open WebSocket. Handlers that are set in the tick after it miss no message.
 * @throws HandshakeRefused, NetworkError, or the reason of the abort
 */
export async function openSocket(
  url: string,
  headers: Record<string, string>,
  route: OutgoingRoute,
  signal: AbortSignal,
): Promise<Bun.WebSocket> {
  try {
    const bound = new MessageBound()
    const socket = await dial(url, headers, route, bound)
    bound.watch(socket)
    await opened(socket, signal)
    return socket
  } catch (error) {
    throw await explained(error, url, route)
  }
}

async function dial(url: string, headers: Record<string, string>, route: OutgoingRoute, bound: MessageBound) {
  const { url: at, options } = await socketRoute(url, route, bound.passes)
  // A compressed message would be bounded only by what it inflates to.
  return new Socket(at, { ...options, headers: { ...options.headers, ...headers }, perMessageDeflate: false })
}

/** Ends a connection on which more comes than a message may have, before the last one is whole, in however many frames. */
class MessageBound {
  #bytes = 0

  passes = (bytes: number): boolean => {
    this.#bytes += bytes
    return this.#bytes <= MESSAGE_MAX_BYTES
  }

  watch(socket: Bun.WebSocket) {
    socket.addEventListener('message', () => {
      this.#bytes = 0
    })
  }
}

function opened(socket: Bun.WebSocket, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => giveUp(new NetworkError('timeout')), CONNECT_TIMEOUT_MS)
  const onAbort = () => giveUp(signal.reason)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  socket.onopen = () => resolve()
  socket.onerror = event => giveUp(errorIn((event as ErrorEvent).message))
  socket.onclose = () => giveUp(new NetworkError('unreachable'))

  function giveUp(error: Error) {
    reject(error)
    socket.terminate()
  }
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  })
}

/** Bun names the status of a refused handshake only in the message of its error. */
function errorIn(message = ''): Error {
  const status = Number(/status code: (\d{3})/.exec(message)?.[1])
  return status ? new HandshakeRefused(status) : new NetworkError('unreachable')
}

interface SocketRequest extends OutgoingRoute {
  url: string
  headers: Record<string, string>
  /** The first message. */
  body: string
}

interface SocketEvents {
  /** Whether nothing follows a message, which closes the socket. */
  isLast(message: string): boolean
  /** The socket is open, and nothing has been sent. */
  onSend?(): void
}

/**
 * Sends one message and reads those that come back as server-sent events.
 * @param abort closes the socket, at any time
 * @returns a stream; or a response with the status of a refused handshake. @throws NetworkError, or the reason of the abort
 */
export async function fetchBySocket(
  { url, headers, body, proxy, guarded }: SocketRequest,
  abort: AbortController,
  { isLast, onSend }: SocketEvents,
): Promise<Response> {
  try {
    const socket = await openSocket(url, headers, { proxy, guarded }, abort.signal)
    const stream = eventsFrom(socket, abort, isLast)
    onSend?.()
    socket.send(body)
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  } catch (error) {
    if (error instanceof HandshakeRefused) return new Response('', { status: error.status })
    throw error
  }
}

function eventsFrom(socket: Bun.WebSocket, abort: AbortController, isLast: (message: string) => boolean) {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOver = false
        const onAbort = () => end(abort.signal.reason)
        const end = (error?: Error) => {
          if (isOver) return
          isOver = true
          abort.signal.removeEventListener('abort', onAbort)
          if (error) {
            controller.error(error)
            socket.terminate()
          } else {
            controller.close()
            socket.close(NORMAL)
          }
        }
        abort.signal.addEventListener('abort', onAbort)
        if (abort.signal.aborted) onAbort()
        socket.onmessage = ({ data }) => {
          if (isOver) return
          if (typeof data !== 'string') return end(new NetworkError('unreachable', 'a binary message'))
          controller.enqueue(Buffer.from(`data: ${data.replaceAll(/\r\n|\r|\n/g, '\ndata: ')}\n\n`))
          if (isLast(data)) end()
          else if ((controller.desiredSize ?? 0) < 0) end(new NetworkError('too_large'))
        }
        socket.onerror = () => end(new NetworkError('unreachable'))
        socket.onclose = ({ code }) => end(code === NORMAL ? undefined : new NetworkError('unreachable', String(code)))
      },
      cancel: () => socket.terminate(),
    },
    { highWaterMark: MESSAGE_MAX_BYTES, size: chunk => chunk?.byteLength ?? 0 },
  )
}
