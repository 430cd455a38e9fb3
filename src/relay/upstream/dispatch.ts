/** The only loop and the only retry: channel after channel until one answers. */

import {
  endTrial,
  type RoutedChannel,
  recordFailure,
  recordResponse,
  recordStart,
  redacted,
} from '../../domain/channels/index.ts'
import { option } from '../../domain/options/index.ts'
import { Untranslatable } from '../../formats/translate/translating-format.ts'
import type { MessageKey } from '../../locales/index.ts'
import { NetworkError } from '../../net/upstream-fetch.ts'
import { stopwatch } from '../../process/clock.ts'
import { log } from '../../process/log.ts'
import type { BillableCall, Call, Target } from '../call.ts'
import { logFailure } from '../charging/settle.ts'
import { failureOf, faultOf, faultOfNetworkError, untranslatableFault } from '../errors/classify-error.ts'
import { Fault } from '../errors/fault.ts'
import { allCoolingDown, targetsOf } from './candidates.ts'
import { applyOverride } from './prepare-request.ts'
import { mayTryAgain, noteCall } from './retry-budget.ts'
import { UpstreamRejected } from './send.ts'

/** One attempt. @throws SaidNo, DialError, Fault or Abandoned */
type Send<T> = (call: Call, turn: Target) => Promise<T>

/** @throws Fault of the last channel that was tried, Abandoned when the caller has left */
export async function dispatch<T>(order: BillableCall, channels: RoutedChannel[], send: Send<T>): Promise<T> {
  const { call, caller } = order
  const tries = caller.channel_id === undefined ? option('RetryTimes') + 1 : 1
  const given_up = new Set<RoutedChannel>()
  let fault: Fault | undefined
  noteCall()
  for (const turn of targetsOf(channels)) {
    if (given_up.has(turn.channel)) continue
    if (call.attempts.length === tries || (fault && !mayTryAgain())) break
    const outcome = await attempt(order, turn, send)
    if (!(outcome instanceof Fault)) return outcome
    fault = outcome
    if (!fault.retry) break
    if (!fault.of_key) given_up.add(turn.channel)
  }
  throw fault ?? allCoolingDown(channels, call)
}

async function attempt<T>(order: BillableCall, turn: Target, send: Send<T>): Promise<T | Fault> {
  const { call, caller } = order
  const { id, name } = turn.channel
  const took = stopwatch()
  const noted = { channel: id, name, status: 0, reason: '', ms: 0 }
  call.attempts.push(noted)
  recordStart(turn)
  try {
    const asked = await applyOverride(order, turn.channel)
    const answer = await send(asked, turn)
    order.call = asked
    noted.status = 200
    noted.ms = Math.round(took())
    recordResponse(turn)
    return answer
  } catch (error) {
    noted.ms = Math.round(took())
    const fault = explained(error, turn, call)
    noted.status = error instanceof UpstreamRejected ? error.rejection.status : 0
    noted.reason = detailOf(error, turn)
    log.info('attempt failed', { request_id: call.request_id, channel: id, status: noted.status, reason: noted.reason })
    await logFailure(call, caller, turn.channel, fault, noted)
    return fault
  }
}

/** For operators: what the upstream said, told to callers or not. */
const detailOf = (error: unknown, { channel }: Target): string =>
  (error instanceof UpstreamRejected && redacted(error.rejection.error?.message ?? '', channel)) ||
  (error as Error).message

/** What it means for the caller; the channel's health is told as well. @throws what is no failure of the channel. */
function explained(error: unknown, turn: Target, call: Call): Fault {
  if (error instanceof UpstreamRejected) {
    const failure = failureOf(error.rejection, turn, call)
    if (failure) recordFailure(turn, failure)
    else endTrial(turn)
    return faultOf(error.rejection, turn.channel)
  }
  if (error instanceof NetworkError) return failed(turn, `channel.rest_${error.failure}`, faultOfNetworkError(error))
  if (error instanceof Fault && error.code === 'relay.upstream_unusable')
    return failed(turn, 'channel.rest_unusable', error)
  endTrial(turn)
  if (error instanceof Fault) return error
  if (error instanceof Untranslatable) return untranslatableFault(error.flaw)
  throw error
}

function failed(turn: Target, reason: MessageKey, fault: Fault): Fault {
  recordFailure(turn, { reason, of_key: false, fatal: false, trips_breaker: true })
  return fault
}
