/** The only loop and the only retry: channel after channel until one answers. */
import { noteOutcome, type ReadyChannel } from '../console/channels/service.ts'
import { option } from '../console/options/service.ts'
import { stopwatch } from '../kit/clock.ts'
import { DialError } from '../kit/dial.ts'
import { log } from '../kit/log.ts'
import type { Answer } from './answer.ts'
import type { Call, Caller, Turn } from './call.ts'
import { setAside, turns } from './candidates.ts'
import { Abandoned, Fault } from './fault.ts'
import { fatalReason, faultOf, faultOfLine } from './judge.ts'
import { SaidNo, send } from './send.ts'
import { logFailure } from './settle.ts'

/** @throws Fault of the last channel that was tried, Abandoned when the caller has left */
export async function dispatch(call: Call, caller: Caller, channels: ReadyChannel[]): Promise<Answer> {
  const tries = caller.channel_id === undefined ? option('RetryTimes') + 1 : 1
  const given_up = new Set<ReadyChannel>()
  let fault: Fault | undefined
  for (const turn of turns(channels)) {
    if (given_up.has(turn.channel)) continue
    if (call.attempts.length === tries) break
    const outcome = await attempt(call, caller, turn)
    if (!(outcome instanceof Fault)) return outcome
    fault = outcome
    if (!fault.retry) break
    if (!fault.of_key) given_up.add(turn.channel)
  }
  throw fault
}

async function attempt(call: Call, caller: Caller, turn: Turn): Promise<Answer | Fault> {
  const { id, name } = turn.channel
  const took = stopwatch()
  const noted = { channel: id, name, status: 0, reason: '', ms: 0 }
  call.attempts.push(noted)
  try {
    const answer = await send(call, turn)
    noted.status = 200
    return answer
  } catch (error) {
    if (error instanceof Abandoned) throw error
    const fault = explained(error, turn, call)
    noted.status = error instanceof SaidNo ? error.no.status : 0
    noted.reason = fault.said?.message || (error as Error).message
    log.info('attempt failed', { request_id: call.request_id, channel: id, status: noted.status, reason: noted.reason })
    await logFailure(call, caller, turn.channel, fault, noted)
    return fault
  } finally {
    noted.ms = Math.round(took())
  }
}

/** Tells the channel's health what happened. */
function explained(error: unknown, turn: Turn, call: Call): Fault {
  const { channel, key } = turn
  if (error instanceof SaidNo) {
    const fatal = fatalReason(error.no, turn, call)
    const lost = fatal !== undefined && setAside(channel, key)
    noteOutcome(channel.id, false, lost ? { reason: fatal } : undefined)
    return faultOf(error.no, channel)
  }
  const fault = error instanceof DialError ? faultOfLine(error) : error
  if (!(fault instanceof Fault)) throw error
  noteOutcome(channel.id, false)
  return fault
}
