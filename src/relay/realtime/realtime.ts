/** Sessions over a socket. The upstream's is open before the caller's, so that until then another channel can take over. */
import type { Server } from 'bun'
import { Refusal } from '../../contracts/refusal.ts'
import type { RoutedChannel } from '../../domain/channels/index.ts'
import { release } from '../../domain/wallet/index.ts'
import { openAiRealtime } from '../../formats/openai-realtime/index.ts'
import type { BillableCall, Endpoint } from '../call.ts'
import { admitted, giveUp } from '../relay.ts'
import type { Leave } from '../request/admit.ts'
import { dispatch } from '../upstream/dispatch.ts'
import { connect } from './connect.ts'
import { Session } from './session.ts'

const door: Endpoint = { operation: 'realtime', format: openAiRealtime, is_websocket: true }

export type Sockets = Pick<Server<Session>, 'requestIP' | 'timeout' | 'upgrade'>

/** @returns nothing: the connection is a socket now. @throws Refusal or Fault, which the door explains */
export function realtime(request: Request, server: Sockets | null): Promise<undefined> {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') throw new Refusal('relay.socket_required', {}, 426)

  async function converse(order: BillableCall, channels: RoutedChannel[], leave: Leave): Promise<undefined> {
    const line = await dispatch(order, channels, connect).catch(error => giveUp(order, error))
    const data = new Session(order, line, leave)
    if (server?.upgrade(request, { data, headers: answerTo(request, order) })) return
    line.socket.terminate()
    await release(order.reservation)
    throw new Refusal('relay.socket_required', {}, 426)
  }
  return admitted(request, door, server, converse)
}

/** Of the protocols that were offered there is one to choose; the others only carry a key or a wish. */
function answerTo(request: Request, { call }: BillableCall): Record<string, string> {
  const offered = request.headers.get('sec-websocket-protocol')?.split(',') ?? []
  const chosen = offered.some(protocol => protocol.trim() === 'realtime')
  return { 'x-request-id': call.request_id, ...(chosen && { 'sec-websocket-protocol': 'realtime' }) }
}
