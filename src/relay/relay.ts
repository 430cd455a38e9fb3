/** One call, from the request to the settled bill: each step is a file of its name. */
import { release } from '../console/wallet/service.ts'
import type { Leave } from './admit.ts'
import { admit, checkAddress } from './admit.ts'
import { authenticate } from './authenticate.ts'
import type { Call, Caller, Door, Order } from './call.ts'
import { candidates } from './candidates.ts'
import { deliver } from './deliver.ts'
import { dispatch } from './dispatch.ts'
import { Abandoned } from './fault.ts'
import { quote } from './quote.ts'
import { readRequest } from './read-request.ts'
import { reserve } from './reserve.ts'
import { send } from './send.ts'
import { checkWords } from './sensitive-words.ts'
import { settleUnanswered } from './settle.ts'

/** The socket's side of a request. */
export type Peer = { requestIP(request: Request): { address: string } | null } | null

/** @throws Refusal or Fault, which the door explains */
export async function relay(request: Request, door: Door, peer: Peer): Promise<Response> {
  const caller = await authenticate(request)
  checkAddress(caller, request, peer)
  const call = await readRequest(request, door)
  try {
    const leave = admit(caller, call, request.headers.get('origin'))
    return await serve(call, caller, leave).catch(error => {
      leave(false)
      throw error
    })
  } catch (error) {
    await call.form?.close()
    throw error
  }
}

async function serve(call: Call, caller: Caller, leave: Leave): Promise<Response> {
  await checkWords(call, caller)
  const channels = await candidates(call, caller)
  const price = quote(call, caller)
  const reservation = await reserve(call, caller, price)
  const order: Order = { call, caller, price, reservation }
  const answering = dispatch(order, channels, send).catch(error => giveUp(order, error))
  call.form?.closeAfter(answering)
  return deliver(order, answering, leave)
}

/** Nothing was delivered: nothing is owed, unless the caller did not wait for what was under way. */
export async function giveUp(order: Order, error: unknown): Promise<never> {
  if (error instanceof Abandoned && order.call.attempts.length) await settleUnanswered(order)
  else await release(order.reservation)
  throw error
}
