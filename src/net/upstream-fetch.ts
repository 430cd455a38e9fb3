/** Calls to providers: no redirect is followed, no silence is endless, no answer is larger than we can hold. */
import { setCoarseTimer } from '../process/coarse-timer.ts'
import { semaphore } from '../process/semaphore.ts'
import { idleTimeout } from '../stream/idle-timeout.ts'
import { isReachable } from './tcp-probe.ts'
import { tunnelThrough } from './tunnel.ts'

export interface UpstreamFetch {
  url: string
  headers: Record<string, string>
  body: string | ReadableStream<Uint8Array>
  method?: 'POST' | 'GET'
  /** An HTTP or SOCKS5 proxy to go through, with the name and password in its address. */
  proxy?: string
}

/**
 * `unreachable` no connection, or it was lost; `timeout` no answer in time; `redirect` an answer that points elsewhere;
 * `too_large` more than we take.
 */
export type NetworkFailure = 'unreachable' | 'timeout' | 'redirect' | 'too_large'

export class NetworkError extends Error {
  constructor(
    readonly failure: NetworkFailure,
    detail = '',
  ) {
    super(detail ? `${failure}: ${detail}` : failure)
  }
}

/** Of those that are larger only a few are taken in at a time; the others wait at their upstreams. */
const LARGE_BYTES = 8 * 1_048_576
const takeTurns = semaphore(2)
/** Whoever has not answered by then may not be there at all. */
const DOUBT_MS = 5000
/** An error body longer or slower than this tells nothing more. */
const ERROR_BODY_MAX = 65_536
const ERROR_BODY_MS = 5000

/**
 * @param line aborting it hangs up, at any time
 * @returns the answer once its head is there, whatever its status
 * @throws DialError, or the reason the line was aborted with
 */
export async function upstreamFetch(dialing: UpstreamFetch, line: AbortController, head_ms: number): Promise<Response> {
  const { url, headers, body, method = 'POST', proxy } = dialing
  if (!/^https?:\/\//i.test(url)) throw new NetworkError('unreachable', 'not an http address')
  let came = false
  const switchOff = setCoarseTimer(head_ms, () => line.abort(new NetworkError('timeout')))
  const trust = setCoarseTimer(DOUBT_MS, async () => {
    if (!(await isReachable(proxy ?? url)) && !came) line.abort(new NetworkError('unreachable', 'no connection'))
  })
  try {
    const response = await fetch(url, {
      method,
      headers,
      body: method === 'GET' ? undefined : body,
      redirect: 'manual',
      signal: line.signal,
      timeout: false,
      ...(proxy && (await tunnelThrough(proxy, url))),
    } as BunFetchRequestInit)
    if (response.status < 300 || response.status >= 400) return response
    line.abort()
    throw new NetworkError('redirect', String(response.status))
  } catch (error) {
    throw asDialError(error, line)
  } finally {
    came = true
    switchOff()
    trust()
  }
}

function asDialError(error: unknown, line: AbortController): unknown {
  if (error instanceof NetworkError) return error
  if (line.signal.aborted) return line.signal.reason
  return new NetworkError('unreachable', (error as { code?: string }).code)
}

/** The whole body. @throws DialError when it is cut off, larger than `max_bytes` or longer on its way than `body_ms`. */
export async function readBody(
  response: Response,
  line: AbortController,
  { max_bytes, body_ms }: { max_bytes: number; body_ms: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const { headers } = response
  const length = headers.get('content-length')
  if (Number(length ?? 0) > max_bytes) throw tooLarge(line)
  const switchOff = setCoarseTimer(body_ms, () => line.abort(new NetworkError('timeout')))
  try {
    // What is not packed is exactly as long as it says.
    if (length !== null && Number(length) <= LARGE_BYTES && !headers.has('content-encoding'))
      return await response.bytes()
    return await readCapped(response, line, max_bytes)
  } catch (error) {
    throw asDialError(error, line)
  } finally {
    switchOff()
  }
}

async function readCapped(response: Response, line: AbortController, max_bytes: number) {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const body = (response.body ?? new Blob().stream()).getReader()
  let size = 0
  const readUpTo = async (most: number) => {
    while (size <= most) {
      const { value, done } = await body.read()
      if (done) return true
      size += value.byteLength
      if (size > max_bytes) throw tooLarge(line)
      chunks.push(value)
    }
    return false
  }
  if (!(await readUpTo(LARGE_BYTES))) await takeTurns(() => readUpTo(max_bytes))
  return chunks.length === 1 ? chunks[0]! : (Buffer.concat(chunks) as Uint8Array<ArrayBuffer>)
}

function tooLarge(line: AbortController): NetworkError {
  line.abort()
  return new NetworkError('too_large')
}

/** As much of an error's body as is worth reading. Never throws. */
export async function readErrorBody(response: Response, line: AbortController): Promise<string> {
  const switchOff = setCoarseTimer(ERROR_BODY_MS, () => line.abort())
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  try {
    const body = readChunks(response, line, ERROR_BODY_MS)
    for (let chunk = await body.next(); chunk && size < ERROR_BODY_MAX; chunk = await body.next()) {
      chunks.push(chunk)
      size += chunk.byteLength
    }
  } catch {
    // What has come is all there is to tell.
  }
  switchOff()
  if (size >= ERROR_BODY_MAX) line.abort()
  return Buffer.concat(chunks).subarray(0, ERROR_BODY_MAX).toString('utf8')
}

/** A body, piece by piece, at the pace of whoever asks for the next one. */
export interface ChunkReader {
  /** @returns nothing at its end. @throws DialError when it is cut off or silent for too long. */
  next(): Promise<Uint8Array<ArrayBuffer> | undefined>
}

export function readChunks(response: Response, line: AbortController, idle_ms: number): ChunkReader {
  const reader = response.body?.getReader()
  const silence = idleTimeout(idle_ms, () => line.abort(new NetworkError('timeout')))
  line.signal.addEventListener('abort', silence.stop)
  return {
    async next() {
      if (!reader) return undefined
      silence.start()
      try {
        const { value, done } = await reader.read()
        if (done) silence.stop()
        return done ? undefined : value
      } catch (error) {
        silence.stop()
        throw asDialError(error, line)
      } finally {
        silence.pause()
      }
    },
  }
}
