/** One call, from the request to the settled bill: each step is a file of its name. */
import type { RoutedChannel } from '../domain/channels/index.ts'
import { release } from '../domain/wallet/index.ts'
import type { TimeoutControl } from '../stream/client-connection.ts'
import type { ApiCaller, BillableCall, Call, Endpoint } from './call.ts'
import { quote } from './charging/quote.ts'
import { reserve } from './charging/reserve.ts'
import { settleUnanswered } from './charging/settle.ts'
import { deliver } from './delivery/deliver.ts'
import { keepAliveInterval_ms } from './delivery/keep-alive.ts'
import { ClientDisconnected } from './errors/fault.ts'
import type { Leave } from './request/admit.ts'
import { admit, checkAddress } from './request/admit.ts'
import { authenticate } from './request/authenticate.ts'
import { readRequest } from './request/read-request.ts'
import { checkSensitiveWords } from './request/sensitive-words.ts'
import { candidates } from './upstream/candidates.ts'
import { dispatch } from './upstream/dispatch.ts'
import { send } from './upstream/send.ts'

/** The socket's side of a request. */
export type Peer = (NonNullable<TimeoutControl> & { requestIP(request: Request): { address: string } | null }) | null

/** @throws Refusal or Fault, which the door explains */
export const relay = (request: Request, door: Endpoint, peer: Peer): Promise<Response> =>
  admitted(request, door, peer, answer)

/** @param leave called once, when the call is over */
type Serve<T> = (order: BillableCall, channels: RoutedChannel[], leave: Leave) => Promise<T>

/** A call that may be made and can be paid for, in the hands of whoever serves it. */
export async function admitted<T>(request: Request, door: Endpoint, peer: Peer, work: Serve<T>): Promise<T> {
  const caller = await authenticate(request)
  checkAddress(caller, request, peer)
  const call = await readRequest(request, door, peer)
  call.connection.hold()
  try {
    const leave = admit(caller, call, request.headers.get('origin'))
    return await reserved(call, caller, (order, channels) => work(order, channels, leave)).catch(error => {
      leave(false)
      throw error
    })
  } catch (error) {
    call.connection.idle()
    await call.form?.close()
    throw error
  }
}

async function reserved<T>(
  call: Call,
  caller: ApiCaller,
  work: (order: BillableCall, channels: RoutedChannel[]) => Promise<T>,
): Promise<T> {
  await checkSensitiveWords(call, caller)
  const channels = await candidates(call, caller)
  const price = quote(call, caller)
  const reservation = await reserve(call, caller, price)
  return work({ call, caller, price, reservation }, channels)
}

function answer(order: BillableCall, channels: RoutedChannel[], leave: Leave): Promise<Response> {
  const answering = dispatch(order, channels, send).catch(error => giveUp(order, error))
  order.call.form?.closeAfter(answering)
  return deliver(order, answering, leave, order.call.facts.stream ? keepAliveInterval_ms(channels) : 0)
}

/** Nothing was delivered: nothing is owed, unless the caller did not wait for what was under way. */
export async function giveUp(order: BillableCall, error: unknown): Promise<never> {
  if (error instanceof ClientDisconnected && error.asked) await settleUnanswered(order)
  else await release(order.reservation)
  throw error
}
