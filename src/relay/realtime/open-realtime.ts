/** Opens a realtime session: the upstream's WebSocket first, so that until then another channel can take over. */
import { Refusal } from '../../contracts/refusal.ts'
import type { CallEnd } from '../delivery/call-end.ts'
import type { RelayContext } from '../endpoint.ts'
import type { Ask } from '../upstream/dispatch.ts'
import { connect } from './connect.ts'
import { RealtimeSession } from './session.ts'

/** @returns undefined: the connection has become a WebSocket. @throws Refusal or Fault */
export async function openRealtime({ request, server }: RelayContext, end: CallEnd, ask: Ask): Promise<undefined> {
  const link = await ask(connect).catch(error => end.fail(error))
  const data = new RealtimeSession(end, link)
  const headers = { 'x-request-id': end.billable.call.request_id, ...acceptedProtocol(request) }
  if (server?.upgrade(request, { data, headers })) return
  link.socket.terminate()
  await end.fail(upgradeRequired())
}

/** @throws Refusal 426 */
export function checkUpgrade({ headers }: Request) {
  if (headers.get('upgrade')?.toLowerCase() !== 'websocket') throw upgradeRequired()
}

const upgradeRequired = () => new Refusal('relay.socket_required', {}, 426)

/** Accepts `realtime`; the other subprotocols that clients offer carry the API key and beta flags. */
function acceptedProtocol({ headers }: Request): Record<string, string> {
  const offered = headers.get('sec-websocket-protocol')?.split(',') ?? []
  return offered.some(protocol => protocol.trim() === 'realtime') ? { 'sec-websocket-protocol': 'realtime' } : {}
}
