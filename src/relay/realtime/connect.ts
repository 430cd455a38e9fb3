/** One attempt to open a session with one channel. */

import { HOP_HEADER } from '../../contracts/relay.ts'
import { type RoutedChannel, upstreamModel } from '../../domain/channels/index.ts'
import { socketThrough } from '../../net/tunnel.ts'
import { NetworkError } from '../../net/upstream-fetch.ts'
import { requestFor } from '../../providers/index.ts'
import { joinHeaders } from '../../pure/headers.ts'
import type { Call, Target } from '../call.ts'
import { ClientDisconnected, Fault } from '../errors/fault.ts'
import { upstreamCallOf } from '../upstream/prepare-request.ts'
import { UpstreamRejected } from '../upstream/send.ts'

/** A session that is open. Who awaits it and listens in the same tick misses nothing that is said. */
export interface RealtimeLink {
  channel: RoutedChannel
  model: string
  first_ms: number
  socket: Bun.WebSocket
}

const PATIENCE_MS = 30_000

/** The types of browsers hide what Bun's socket can do. */
const Socket = WebSocket as unknown as new (url: string, options: Bun.WebSocketOptions) => Bun.WebSocket

/** @throws SaidNo, DialError, Fault or Abandoned */
export async function connect(call: Call, { channel, key }: Target): Promise<RealtimeLink> {
  if (call.disconnected.aborted) throw new ClientDisconnected()
  const model = upstreamModel(channel, call.facts.model)
  const outgoing = requestFor(upstreamCallOf(channel, key, call), 'realtime', model, call.body)
  if (!outgoing) throw new Fault({ status: 503, code: 'relay.channel_unfit', retry: true })
  const { 'content-type': _, ...known } = outgoing.headers
  const headers = { ...joinHeaders(known, call.client_headers), [HOP_HEADER]: call.hops }
  const socket = await socketTo(addressFor(outgoing.url, model), headers, channel.setting.proxy)
  await opened(socket, call.disconnected)
  return { channel, model, first_ms: call.elapsed(), socket }
}

async function socketTo(address: string, headers: Record<string, string>, proxy: string | undefined) {
  if (!proxy) return new Socket(address, { headers })
  const { url, options } = await socketThrough(proxy, address)
  return new Socket(url, { ...options, headers: { ...options.headers, ...headers } })
}

/** There is no body that could name the model: it stands in the address, unless its provider has it there already. */
function addressFor(base: string, model: string): string {
  const url = new URL(base.replace(/^http/, 'ws'))
  const isThere = [encodeURI, encodeURIComponent].some(encoded => url.href.includes(encoded(model)))
  if (!isThere) url.searchParams.set('model', model)
  return url.href
}

function opened(socket: Bun.WebSocket, left: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => giveUp(new NetworkError('timeout')), PATIENCE_MS)
  const leave = () => giveUp(new ClientDisconnected())
  left.addEventListener('abort', leave)
  if (left.aborted) leave()
  socket.onopen = () => resolve()
  socket.onerror = event => giveUp(troubleIn((event as ErrorEvent).message))
  socket.onclose = () => giveUp(new NetworkError('unreachable'))

  function giveUp(error: Error) {
    reject(error)
    socket.terminate()
  }
  return promise.finally(() => {
    clearTimeout(timer)
    left.removeEventListener('abort', leave)
  })
}

/** An upstream that does not want to talk says why in a status; Bun tells it in its message only. */
function troubleIn(message = ''): Error {
  const status = Number(/status code: (\d{3})/.exec(message)?.[1])
  return status ? new UpstreamRejected({ status, error: undefined }) : new NetworkError('unreachable')
}
