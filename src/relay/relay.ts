/** One call, from the request to the settled bill: each step is one file. */

import { mark } from '../process/marks.ts'
import { runInBackground } from './background/start.ts'
import type { BillableCall, ReadCall } from './call.ts'
import { Cleanup } from './cleanup.ts'
import { CallEnd } from './delivery/call-end.ts'
import { deliver } from './delivery/deliver.ts'
import type { Endpoint, RelayContext } from './endpoint.ts'
import { fallbacksOf, mayHaveFallbacks } from './fallbacks.ts'
import { type PreparedCall, prepare } from './prepare.ts'
import { openRealtime } from './realtime/open-realtime.ts'
import { admit, checkModel } from './request/admit.ts'
import { authenticate } from './request/authenticate.ts'
import { readRequest } from './request/read-request.ts'
import { checkSensitiveWords } from './request/sensitive-words.ts'
import { spendTokens } from './request/token-limits.ts'
import { send } from './upstream/attempt.ts'
import { type Ask, dispatch, type Send } from './upstream/dispatch.ts'
import { overridden } from './upstream/override-facts.ts'
import type { UpstreamResponse } from './upstream/upstream-response.ts'
import { recordRefused } from './watching/record-refused.ts'

/** How calls are served whose clients fetch the response later. */
export interface BackgroundService {
  send: Send<UpstreamResponse>
  /** @param dispatched calls the upstream. @param respond does that too, and delivers what it answers */
  begin(
    context: RelayContext,
    end: CallEnd,
    calls: { dispatched(): Promise<UpstreamResponse>; respond(): Promise<Response> },
  ): Promise<Response>
}

const responses: BackgroundService = {
  send,
  begin: (context, end, { respond }) => runInBackground(context, end, respond),
}

/** @returns undefined when the connection became a WebSocket. @throws Refusal or Fault */
export async function relay(
  context: RelayContext,
  endpoint: Endpoint,
  background: BackgroundService = responses,
): Promise<Response | undefined> {
  const cleanup = new Cleanup()
  try {
    const caller = await authenticate(context)
    mark('authenticate')
    // The body comes last: of a call that may not run, nothing is read.
    const admitted = admit(caller, context.request)
    // A wait for what is known costs a turn of each call.
    const slots = cleanup.use(admitted instanceof Promise ? await admitted : admitted)
    const call = cleanup.use(await readRequest(context, endpoint, caller.user.id))
    checkModel(caller, call)
    mark('read')
    call.recorder.admitted(call)
    return await serve(context, { call, caller, slots }, cleanup, background)
  } catch (error) {
    await cleanup.free()
    throw error
  }
}

interface AdmittedCall extends Pick<BillableCall, 'caller' | 'slots'> {
  call: ReadCall
}

/** A call that is read and admitted. @param cleanup frees what the call holds; it is emptied when the call is served */
export async function serve(
  context: RelayContext,
  { call: read, caller, slots }: AdmittedCall,
  cleanup: Cleanup,
  background: BackgroundService = responses,
): Promise<Response | undefined> {
  await checkSensitiveWords(read, caller)
  mark('words')
  const fallbacks = mayHaveFallbacks(read, caller) ? await fallbacksOf(read, caller) : undefined
  let prepared: PreparedCall
  try {
    prepared = await (fallbacks ? fallbacks.prepare() : prepare(read, caller))
  } catch (error) {
    recordRefused(read, caller, error)
    throw error
  }
  const { call, price, reservation, channels } = prepared
  cleanup.use(reservation)
  const spending = spendTokens(slots, caller, call)
  const limited = spending === slots ? slots : cleanup.use(await spending)
  const end = new CallEnd({ call, caller: prepared.caller, price, reservation, slots: limited }, cleanup.move())
  const ask: Ask = send =>
    fallbacks ? fallbacks.ask(end, send) : dispatch(end.billable, channels, overridden(end.billable, send))
  if (read.endpoint.operation === 'realtime') return openRealtime(context, end, ask)
  const runs_behind = read.facts.background !== undefined
  const dispatched = () => ask(runs_behind ? background.send : send)
  const respond = () => deliver(end, dispatched(), channels)
  return runs_behind ? background.begin(context, end, { dispatched, respond }) : respond()
}
