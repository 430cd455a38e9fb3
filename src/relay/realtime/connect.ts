/** One attempt to open a realtime session with one target. */

import { HOP_HEADER } from '../../contracts/relay.ts'
import { type RoutedChannel, routeOfChannel, type Target, upstreamModel } from '../../domain/routing/index.ts'
import { HandshakeRefused, openSocket } from '../../net/upstream-socket.ts'
import { buildRequest, passedApi } from '../../providers/index.ts'
import { joinHeaders } from '../../pure/headers.ts'
import type { Call } from '../call.ts'
import { ClientDisconnected, UpstreamRejected } from '../errors/fault.ts'
import { upstreamCallOf } from '../upstream/prepare-request.ts'
import { upstreamTraceHeaders } from '../watching/traces.ts'

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

/** @throws UpstreamRejected, NetworkError or ClientDisconnected */
export async function connect(call: Call, { channel, key, api }: Target): Promise<RealtimeLink> {
  if (call.disconnected.aborted) throw new ClientDisconnected()
  const model = upstreamModel(channel, call.facts.model)
  const request = buildRequest(passedApi(api), upstreamCallOf(channel, key, call), model, call.body)
  const { 'content-type': _, ...authorization } = request.headers
  const url = socketUrl(request.url, model)
  call.trace?.addressed('GET', url)
  const passed = joinHeaders(authorization, call.client_headers)
  const headers = { ...passed, ...upstreamTraceHeaders(call.trace), [HOP_HEADER]: call.hops }
  const route = routeOfChannel(channel)
  const abort = new AbortController()
  const onDisconnect = () => abort.abort(new ClientDisconnected())
  call.disconnected.addEventListener('abort', onDisconnect)
  try {
    const socket = await openSocket(url, headers, route, abort.signal)
    return { call, channel, model, first_ms: call.elapsed(), socket }
  } catch (error) {
    if (!(error instanceof HandshakeRefused)) throw error
    throw new UpstreamRejected({ status: error.status, error: undefined })
  } finally {
    call.disconnected.removeEventListener('abort', onDisconnect)
  }
}

/** Without a body the model stands in the query, unless the provider's path names it. */
function socketUrl(base: string, model: string): string {
  const url = new URL(base.replace(/^http/, 'ws'))
  const isNamed = [encodeURI, encodeURIComponent].some(encode => url.href.includes(encode(model)))
  if (!isNamed) url.searchParams.set('model', model)
  return url.href
}
