/** Sends the requests beside a call: uploads before it, polls and downloads after it, tokens for it. */
import { createHash } from 'node:crypto'
import type { OutgoingRoute } from '../../../net/tunnel.ts'
import { NetworkError, readBody, upstreamFetch } from '../../../net/upstream-fetch.ts'
import { stopwatch } from '../../../process/clock.ts'
import type { Provider, SideRequest, SideResponse, Steps, UpstreamConfig } from '../../../providers/index.ts'
import { joinHeaders } from '../../../pure/headers.ts'
import { parsedOrUndefined } from '../../../pure/json.ts'

/** All requests beside one call, their waits included. */
const STEPS_TIMEOUT_MS = 120_000
const BODY_TIMEOUT_MS = 60_000
const RESPONSE_BYTES_MAX = 64 * 1_048_576

/** How requests beside a call go out. */
export interface Sender {
  /** URL of the call: its origin alone receives the headers that authenticate. Absent before a token is known. */
  url?: string
  provider: Provider
  config: UpstreamConfig
  route: OutgoingRoute
  /** Ends the requests, and the waits between them. */
  abort: AbortController
}

/** @throws NetworkError, `timeout` after 120 s, or the reason of the abort */
export async function carryOut<T>(steps: Steps<T>, sender: Sender): Promise<T> {
  const elapsed = stopwatch()
  let step = steps.next()
  while (!step.done) {
    const left_ms = STEPS_TIMEOUT_MS - elapsed()
    if (left_ms <= (step.value.wait_ms ?? 0)) throw new NetworkError('timeout')
    step = steps.next(await send(step.value, sender, left_ms))
  }
  return step.value
}

async function send(request: SideRequest, sender: Sender, left_ms: number): Promise<SideResponse> {
  const { abort } = sender
  if (request.wait_ms) await pause(request.wait_ms, abort.signal)
  const response = await sendBeside(request, sender, left_ms)
  const limits = { max_bytes: RESPONSE_BYTES_MAX, body_ms: Math.min(left_ms, BODY_TIMEOUT_MS) }
  const bytes = await readBody(response, abort, limits)
  const text = new TextDecoder().decode(bytes)
  const type = response.headers.get('content-type') ?? ''
  return { status: response.status, body: parsedOrUndefined(text) ?? text, bytes, type }
}

/** Opens the stream that the response of a call names. @throws NetworkError */
export const openStream = (url: string, sender: Sender, head_ms: number): Promise<Response> =>
  sendBeside({ url, headers: { accept: 'text/event-stream' } }, sender, head_ms)

/** Sends one request with the channel's key, for an answer of any status. @throws NetworkError */
export async function sendBeside(request: SideRequest, sender: Sender, head_ms: number): Promise<Response> {
  const { abort, route } = sender
  abort.signal.throwIfAborted()
  const { url, method = request.body === undefined ? 'GET' : 'POST' } = request
  const isOwn = sender.url !== undefined && URL.parse(url)?.origin === URL.parse(sender.url)?.origin
  const encoded = await encode(request)
  const headers = joinHeaders(encoded.headers, { 'accept-encoding': 'identity' }, request.headers)
  const sent = {
    ...{ url, method, body: encoded.body, passes_redirects: request.passes_redirects },
    headers: isOwn ? authenticated({ url, method, headers, body: encoded.body }, sender) : headers,
    // An address that an upstream names may be one of the own network.
    ...(isOwn || !sender.url ? route : { ...route, guarded: true }),
  }
  return upstreamFetch(sent, abort, head_ms)
}

interface PlainRequest {
  url: string
  method: 'GET' | 'POST' | 'DELETE'
  headers: Record<string, string>
  body: string | Uint8Array
}

function authenticated({ url, method, headers, body }: PlainRequest, { provider, config }: Sender) {
  const joined = joinHeaders(provider.authorize(config), headers)
  if (!provider.sign) return joined
  const body_sha256 = createHash('sha256').update(body).digest('hex')
  return joinHeaders(joined, provider.sign({ method, url, headers: joined, body_sha256 }, config))
}

async function encode({
  body = '',
}: SideRequest): Promise<{ headers: Record<string, string>; body: string | Uint8Array<ArrayBuffer> }> {
  if (typeof body === 'string') return { headers: {}, body }
  if (!(body instanceof FormData))
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const form = new Response(body)
  return {
    headers: { 'content-type': form.headers.get('content-type')! },
    body: new Uint8Array(await form.arrayBuffer()),
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onAbort = () => reject(signal.reason)
  const timer = setTimeout(resolve, ms)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  })
}
