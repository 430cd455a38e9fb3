/** Requests to upstreams: redirects are refused, silence and body size are limited. */
import { bulkTurn } from '../process/bulk-turns.ts'
import { setCoarseTimer } from '../process/coarse-timer.ts'
import { runHttpThreadInBatches } from '../process/http-thread.ts'
import { semaphore } from '../process/semaphore.ts'
import { idleTimeout } from '../stream/idle-timeout.ts'
import type { PacedBody } from './fast-bodies.ts'
import { isPrivateHost, PrivateAddressError } from './network-guard.ts'
import { isReachable } from './tcp-probe.ts'
import { fetchRoute, type OutgoingRoute } from './tunnel.ts'

export interface UpstreamFetch extends OutgoingRoute {
  url: string
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  /** POST unless given. */
  method?: string
  /** A redirect is the answer; otherwise it is refused. */
  passes_redirects?: boolean
}

/**
 * `unreachable` no connection, or it broke; `timeout` no bytes in time; `redirect` status 3xx; `too_large` body;
 * `private` a guarded request to an address of the own network.
 */
export type NetworkFailure = 'unreachable' | 'timeout' | 'redirect' | 'too_large' | 'private'

export class NetworkError extends Error {
  constructor(
    readonly failure: NetworkFailure,
    readonly detail = '',
  ) {
    super(detail ? `${failure}: ${detail}` : failure)
  }
}

/** Bodies above this size are read two at a time. */
const LARGE_BYTES = 8 * 1_048_576
const largeBodies = semaphore(2)
/** Without a response head by then, a TCP probe checks that the host is reachable. */
const PROBE_AFTER_MS = 5000
/** Error bodies are cut at this size and time. */
const ERROR_BODY_MAX = 65_536
const ERROR_BODY_TIMEOUT_MS = 5000

const bodiless = new Set(['GET', 'HEAD', 'DELETE'])

/**
 * @param abort closes the connection, at any time
 * @param head_ms time until the response head
 * @returns the response with its body unread, whatever its status except 3xx
 * @throws NetworkError, or the reason of the abort
 */
export async function upstreamFetch(
  { url, headers, body, method = 'POST', passes_redirects, proxy, guarded = false }: UpstreamFetch,
  abort: AbortController,
  head_ms: number,
): Promise<Response> {
  if (!/^https?:\/\//i.test(url)) throw new NetworkError('unreachable', 'not an http address')
  runHttpThreadInBatches()
  let hasResponse = false
  const cancelTimeout = setCoarseTimer(head_ms, () => abort.abort(new NetworkError('timeout')))
  const cancelProbe = setCoarseTimer(PROBE_AFTER_MS, async () => {
    // The tunnel of a guarded request has its own timeout: a probe would connect to an address that is not checked.
    if (!guarded && !(await isReachable(proxy ?? url)) && !hasResponse)
      abort.abort(new NetworkError('unreachable', 'no connection'))
  })
  try {
    const response = await fetch(url, {
      method,
      headers,
      body: bodiless.has(method) ? undefined : body,
      redirect: 'manual',
      signal: abort.signal,
      timeout: false,
      ...((proxy || guarded) && (await fetchRoute(url, { proxy, guarded }))),
    } as BunFetchRequestInit)
    if (passes_redirects || response.status < 300 || response.status >= 400) return response
    abort.abort()
    throw new NetworkError('redirect', String(response.status))
  } catch (error) {
    throw await explained(asNetworkError(error, abort), url, { proxy, guarded })
  } finally {
    hasResponse = true
    cancelTimeout()
    cancelProbe()
  }
}

/** Makes a refusal of the guard a NetworkError `private`: at the end of a tunnel it is a connection that closes. */
export async function explained(error: unknown, url: string, { proxy, guarded }: OutgoingRoute): Promise<unknown> {
  if (error instanceof PrivateAddressError) return privateAddress()
  if (!guarded || !(error instanceof NetworkError) || error.failure !== 'unreachable') return error
  return (await isPrivateHost(proxy ?? url)) ? privateAddress() : error
}

const privateAddress = () => new NetworkError('private', 'an address of the own network, which root has not opened')

function asNetworkError(error: unknown, abort: AbortController): unknown {
  if (error instanceof NetworkError || error instanceof PrivateAddressError) return error
  if (abort.signal.aborted) return abort.signal.reason
  return new NetworkError('unreachable', (error as { code?: string }).code)
}

/** The whole body. @throws NetworkError when it is cut off, larger than `max_bytes` or slower than `body_ms` */
export async function readBody(
  response: Response,
  abort: AbortController,
  { max_bytes, body_ms }: { max_bytes: number; body_ms: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const { headers } = response
  const length = headers.get('content-length')
  if (Number(length ?? 0) > max_bytes) throw tooLarge(abort)
  const cancelTimeout = setCoarseTimer(body_ms, () => abort.abort(new NetworkError('timeout')))
  try {
    // Without compression the body has exactly the announced length.
    if (length !== null && Number(length) <= LARGE_BYTES && !headers.has('content-encoding'))
      return await response.bytes()
    return await readCapped(response, abort, max_bytes)
  } catch (error) {
    throw asNetworkError(error, abort)
  } finally {
    cancelTimeout()
  }
}

async function readCapped(response: Response, abort: AbortController, max_bytes: number) {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const body = (response.body ?? new Blob().stream()).getReader()
  let size = 0
  const readUpTo = async (limit: number) => {
    while (size <= limit) {
      const { value, done } = await body.read()
      if (done) return true
      size += value.byteLength
      if (size > max_bytes) throw tooLarge(abort)
      chunks.push(value)
    }
    return false
  }
  if (!(await readUpTo(LARGE_BYTES))) await largeBodies(() => readUpTo(max_bytes))
  return chunks.length === 1 ? chunks[0]! : (Buffer.concat(chunks) as Uint8Array<ArrayBuffer>)
}

function tooLarge(abort: AbortController): NetworkError {
  abort.abort()
  return new NetworkError('too_large')
}

/** At most 64 KiB of an error's body, within 5 s. Never throws. */
export async function readErrorBody(response: Response, abort: AbortController): Promise<string> {
  const cancelTimeout = setCoarseTimer(ERROR_BODY_TIMEOUT_MS, () => abort.abort())
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  try {
    const body = readChunks(response, abort, ERROR_BODY_TIMEOUT_MS)
    for (let chunk = await body.next(); chunk && size < ERROR_BODY_MAX; chunk = await body.next()) {
      chunks.push(chunk)
      size += chunk.byteLength
    }
  } catch {
    // What has arrived is enough.
  }
  cancelTimeout()
  if (size >= ERROR_BODY_MAX) abort.abort()
  return Buffer.concat(chunks).subarray(0, ERROR_BODY_MAX).toString('utf8')
}

/** A body in chunks, each read on demand. */
export interface ChunkReader {
  /** @returns undefined at the end. @throws NetworkError when the body is cut off or idle for too long */
  next(): Promise<Uint8Array<ArrayBuffer> | undefined>
}

/** Larger chunks are handed on in steps: what is made of each for its client is small, and other calls run between. */
const STEP_BYTES = 65_536

/** @param pace of a body that passes to the client as it comes */
export function readChunks(response: Response, abort: AbortController, idle_ms: number, pace?: PacedBody): ChunkReader {
  /** Bun begins to read ahead with the first access to the body. */
  let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined
  let isBegun = false
  let rest: Uint8Array<ArrayBuffer> | undefined
  const step = (bytes: Uint8Array<ArrayBuffer>) => {
    rest = bytes.byteLength > STEP_BYTES ? bytes.subarray(STEP_BYTES) : undefined
    return rest ? bytes.subarray(0, STEP_BYTES) : bytes
  }
  const idle = idleTimeout(idle_ms, () => abort.abort(new NetworkError('timeout')))
  const end = () => {
    idle.stop()
    pace?.end()
  }
  abort.signal.addEventListener('abort', end)
  return {
    async next() {
      if (rest) {
        await bulkTurn()
        return step(rest)
      }
      if (!isBegun) {
        isBegun = true
        await pace?.read()
        reader = response.body?.getReader() as typeof reader
      }
      if (!reader) return undefined
      idle.start()
      try {
        const { value, done } = await reader.read()
        if (done) end()
        else pace?.came(value.byteLength)
        return done ? undefined : step(value)
      } catch (error) {
        end()
        throw asNetworkError(error, abort)
      } finally {
        idle.pause()
      }
    },
  }
}
