/** One attempt to open a realtime session with one target. */

import { HOP_HEADER } from '../../contracts/relay.ts'
import { type RoutedChannel, upstreamModel } from '../../domain/channels/index.ts'
import { type OutgoingRoute, socketRoute } from '../../net/tunnel.ts'
import { explained, NetworkError } from '../../net/upstream-fetch.ts'
import { buildRequest } from '../../providers/index.ts'
import { joinHeaders } from '../../pure/headers.ts'
import type { Call, Target } from '../call.ts'
import { ClientDisconnected, UpstreamRejected } from '../errors/fault.ts'
import { upstreamCallOf } from '../upstream/prepare-request.ts'

/** An open session. Handlers that are set in the tick after `connect` miss no message. */
export interface RealtimeLink {
  call: Call
  channel: RoutedChannel
  /** The upstream's name for the model. */
  model: string
  /** Milliseconds from the request to the open session. */
  first_ms: number
  socket: Bun.WebSocket
}

const CONNECT_TIMEOUT_MS = 30_000

/** The DOM's type lacks the options of Bun's constructor. */
const Socket = WebSocket as unknown as new (url: string, options: Bun.WebSocketOptions) => Bun.WebSocket

/** @throws UpstreamRejected, NetworkError or ClientDisconnected */
export async function connect(call: Call, { channel, key, api }: Target): Promise<RealtimeLink> {
  if (call.disconnected.aborted) throw new ClientDisconnected()
  const model = upstreamModel(channel, call.facts.model)
  const request = buildRequest(api, upstreamCallOf(channel, key, call), model, call.body)
  const { 'content-type': _, ...authorization } = request.headers
  const headers = { ...joinHeaders(authorization, call.client_headers), [HOP_HEADER]: call.hops }
  const url = socketUrl(request.url, model)
  const route = { proxy: channel.setting.proxy, guarded: channel.guarded }
  try {
    const socket = await openSocket(url, headers, route)
    await opened(socket, call.disconnected)
    return { call, channel, model, first_ms: call.elapsed(), socket }
  } catch (error) {
    throw await explained(error, url, route)
  }
}

async function openSocket(url: string, headers: Record<string, string>, route: OutgoingRoute) {
  if (!route.proxy && !route.guarded) return new Socket(url, { headers })
  const tunnel = await socketRoute(url, route)
  return new Socket(tunnel.url, { ...tunnel.options, headers: { ...tunnel.options.headers, ...headers } })
}

/** Without a body the model stands in the query, unless the provider's path names it. */
function socketUrl(base: string, model: string): string {
  const url = new URL(base.replace(/^http/, 'ws'))
  const isNamed = [encodeURI, encodeURIComponent].some(encode => url.href.includes(encode(model)))
  if (!isNamed) url.searchParams.set('model', model)
  return url.href
}

function opened(socket: Bun.WebSocket, disconnected: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => giveUp(new NetworkError('timeout')), CONNECT_TIMEOUT_MS)
  const onDisconnect = () => giveUp(new ClientDisconnected())
  disconnected.addEventListener('abort', onDisconnect)
  if (disconnected.aborted) onDisconnect()
  socket.onopen = () => resolve()
  socket.onerror = event => giveUp(errorIn((event as ErrorEvent).message))
  socket.onclose = () => giveUp(new NetworkError('unreachable'))

  function giveUp(error: Error) {
    reject(error)
    socket.terminate()
  }
  return promise.finally(() => {
    clearTimeout(timer)
    disconnected.removeEventListener('abort', onDisconnect)
  })
}

/** Bun names the status of a refused handshake only in the message of its error. */
function errorIn(message = ''): Error {
  const status = Number(/status code: (\d{3})/.exec(message)?.[1])
  return status ? new UpstreamRejected({ status, error: undefined }) : new NetworkError('unreachable')
}
