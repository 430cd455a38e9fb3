/** One call, from the request to the settled bill: each step is a file of its name. */
import type { ReadyChannel } from '../console/channels/service.ts'
import { release } from '../console/wallet/service.ts'
import type { Timekeeper } from '../kit/connection.ts'
import type { Leave } from './admit.ts'
import { admit, checkAddress } from './admit.ts'
import { authenticate } from './authenticate.ts'
import type { Call, Caller, Door, Order } from './call.ts'
import { candidates } from './candidates.ts'
import { deliver } from './deliver.ts'
import { dispatch } from './dispatch.ts'
import { Abandoned } from './fault.ts'
import { pingEvery_ms } from './patience.ts'
import { quote } from './quote.ts'
import { readRequest } from './read-request.ts'
import { reserve } from './reserve.ts'
import { send } from './send.ts'
import { checkWords } from './sensitive-words.ts'
import { settleUnanswered } from './settle.ts'

/** The socket's side of a request. */
export type Peer = (NonNullable<Timekeeper> & { requestIP(request: Request): { address: string } | null }) | null

/** @throws Refusal or Fault, which the door explains */
export const relay = (request: Request, door: Door, peer: Peer): Promise<Response> =>
  admitted(request, door, peer, answer)

/** @param leave called once, when the call is over */
type Serve<T> = (order: Order, channels: ReadyChannel[], leave: Leave) => Promise<T>

/** A call that may be made and can be paid for, in the hands of whoever serves it. */
export async function admitted<T>(request: Request, door: Door, peer: Peer, work: Serve<T>): Promise<T> {
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
    call.connection.rest()
    await call.form?.close()
    throw error
  }
}

async function reserved<T>(
  call: Call,
  caller: Caller,
  work: (order: Order, channels: ReadyChannel[]) => Promise<T>,
): Promise<T> {
  await checkWords(call, caller)
  const channels = await candidates(call, caller)
  const price = quote(call, caller)
  const reservation = await reserve(call, caller, price)
  return work({ call, caller, price, reservation }, channels)
}

function answer(order: Order, channels: ReadyChannel[], leave: Leave): Promise<Response> {
  const answering = dispatch(order, channels, send).catch(error => giveUp(order, error))
  order.call.form?.closeAfter(answering)
  return deliver(order, answering, leave, order.call.ask.stream ? pingEvery_ms(channels) : 0)
}

/** Nothing was delivered: nothing is owed, unless the caller did not wait for what was under way. */
export async function giveUp(order: Order, error: unknown): Promise<never> {
  if (error instanceof Abandoned && error.asked) await settleUnanswered(order)
  else await release(order.reservation)
  throw error
}
