/** The only loop over targets and the only retry: target after target until one responds, or waits for one that has room. */

import {
  attemptsMax,
  type Candidate,
  endTrial,
  type RoutedChannel,
  recordBadRequest,
  recordFailure,
  recordResponse,
  recordStart,
  redacted,
  type Target,
  upstreamModel,
  withKeys,
} from '../../domain/routing/index.ts'
import { Untranslatable } from '../../formats/translate/translating-format.ts'
import type { MessageKey } from '../../locales/index.ts'
import { NetworkError } from '../../net/upstream-fetch.ts'
import { log } from '../../process/log.ts'
import type { BillableCall, Call } from '../call.ts'
import { logFailure } from '../charging/log-failure.ts'
import { failureOf, faultOf, faultOfNetworkError, untranslatableFault } from '../errors/classify-error.ts'
import { failureKind } from '../errors/failure-kind.ts'
import { Fault, UpstreamRejected } from '../errors/fault.ts'
import { countAnswered, countFailedAttempt, outcomeOf } from '../watching/attempt-metrics.ts'
import { traceAsking, traceAttempt } from '../watching/trace-attributes.ts'
import { ChannelBudgets } from './channel-budgets.ts'
import { affinityOf } from './conversation.ts'
import { allCoolingDown } from './cooling-down.ts'
import { type FullTarget, OpenTargets } from './open-targets.ts'
import { mayRetry, refillForCall } from './retry-budget.ts'
import { isLaneTaken, RATE_LIMITED, Turns } from './turn.ts'

/** One attempt. @throws UpstreamRejected, NetworkError, Fault or ClientDisconnected */
export type Send<T> = (call: Call, target: Target) => Promise<T>

/** Sends a call to its channels, one after the other. */
export type Ask = <T>(send: Send<T>) => Promise<T>

type DispatchCall = Pick<BillableCall, 'call' | 'caller' | 'reservation'>

/**
 * @param waits where every channel is full; a call that has fallbacks goes to them instead
 * @throws Fault of the last attempt, ClientDisconnected, or Refusal of a request that no channel can serve
 */
export async function dispatch<T>(
  dispatched: DispatchCall,
  candidates: Candidate[],
  send: Send<T>,
  waits = true,
): Promise<T> {
  const { call, caller } = dispatched
  const budgets = new ChannelBudgets(dispatched.reservation, id => call.recorder.meet('budget', id))
  const asked_before = call.attempts.all.length
  const attempts_max = caller.channel_id === undefined ? attemptsMax() : 1
  const isSpent = () => call.attempts.all.length - asked_before === attempts_max
  const failures = new Failures()
  const { faults } = failures
  refillForCall()
  traceAsking(call)
  const affinity = affinityOf(call, candidates)
  call.attempts.affinity = affinity?.kind
  const choosing = { conversation: affinity?.conversation, skips: failures.includes }
  const open = () => new OpenTargets(candidates, call, choosing)
  let turns: Turns | undefined
  let full: readonly FullTarget[] = []
  let hasWaited = false
  for (let targets = open(); ; ) {
    const coming = !faults.length && isLaneTaken(candidates, call) ? undefined : targets.next()
    let target = coming instanceof Promise ? await coming : coming
    if (!target) {
      turns ??= new Turns(dispatched, candidates)
      full = targets.full
      if (!waits || isSpent() || !turns.mayCome(full, faults.at(-1))) break
      hasWaited = true
      target = await turns.next(open)
      if (!target) break
      targets = open()
    }
    if (isSpent()) {
      call.recorder.meet('attempts', attempts_max)
      break
    }
    if (faults.length && !mayRetry()) {
      call.recorder.meet('retries')
      break
    }
    const holding = budgets.hold(target)
    const used_up = holding instanceof Promise ? await holding : holding
    if (used_up) {
      call.attempts.leavePlace()
      failures.skip(target, used_up)
      continue
    }
    const outcome = await attempt(dispatched, target, send)
    if (!(outcome instanceof Fault)) return outcome
    failures.add(outcome, target)
    if (!outcome.overflow && !outcome.retry) break
    if (call.departure.hasLeft) break
  }
  call.attempts.leavePlace()
  const last = faults.at(-1)
  if (last && faults.every(({ of_account }) => of_account))
    last.is_final = faults.length === withKeys(candidates, call.facts.model).length
  throw (
    last ?? budgets.fault(call) ?? (full.length || hasWaited ? turns!.noRoom(full) : allCoolingDown(candidates, call))
  )
}

/** Failed attempts, and the targets that are therefore not tried again. */
class Failures {
  readonly faults: Fault[] = []
  readonly #channels: RoutedChannel[] = []
  readonly #keys: string[] = []
  /** Models, by the names of their providers, whose context the prompt exceeds. */
  readonly #too_small: string[] = []

  add(fault: Fault, target: Target) {
    this.faults.push(fault)
    if (fault.overflow) this.#too_small.push(modelOf(target))
    if (!fault.of_key) this.#channels.push(target.channel)
    // The maker names the time at which it takes calls again.
    else if (!(fault.status === RATE_LIMITED && fault.retry_after_ms)) this.#keys.push(keyOf(target))
  }

  /** Passes over the channel of a target, or its key alone, without an attempt. */
  skip(target: Target, what: 'channel' | 'key') {
    if (what === 'key') this.#keys.push(keyOf(target))
    else this.#channels.push(target.channel)
  }

  includes = (target: Target): boolean =>
    this.#channels.includes(target.channel) ||
    (this.#keys.length > 0 && this.#keys.includes(keyOf(target))) ||
    (this.#too_small.length > 0 && this.#too_small.includes(modelOf(target)))
}

const keyOf = ({ channel, key }: Target) => `${channel.id} ${key}`

const modelOf = ({ channel, model }: Target) => upstreamModel(channel, model)

async function attempt<T>({ call, caller }: DispatchCall, target: Target, send: Send<T>): Promise<T | Fault> {
  const { channel } = target
  call.attempts.begin(channel)
  if (call.trace) traceAttempt(call.trace, channel)
  recordStart(target)
  try {
    const response = await send(call, target)
    call.attempts.end(200)
    recordResponse(target)
    countAnswered(channel.id)
    return response
  } catch (error) {
    const status = error instanceof UpstreamRejected ? error.rejection.status : 0
    const reason = reasonFor(error, target)
    call.attempts.end(status, reason)
    call.attempts.leavePlace()
    countFailedAttempt(channel.id, error)
    call.trace?.attemptFailed(outcomeOf(error), status || undefined)
    const fault = toFault(error, target, call)
    log.info('attempt failed', { request_id: call.request_id, channel: channel.id, status, reason })
    await logFailure(call, caller, { channel, fault, attempt: call.attempts.last! })
    return fault
  }
}

/** For operators: the upstream's message, without keys and addresses. */
const reasonFor = (error: unknown, { channel }: Target): string =>
  (error instanceof UpstreamRejected && redacted(error.rejection.error?.message ?? '', channel)) ||
  (error as Error).message

/** Records the channel's failure. @throws an error that is no failure of the channel */
function toFault(error: unknown, target: Target, call: Call): Fault {
  if (error instanceof UpstreamRejected) {
    const failure = failureOf(error.rejection, target, call)
    if (failure) recordFailure(target, failure)
    else recordBadRequest(target)
    return faultOf(error.rejection, target.channel)
  }
  if (error instanceof NetworkError)
    return failing(target, error, `channel.cooldown_${error.failure}`, faultOfNetworkError(error))
  if (error instanceof Fault && error.code === 'relay.upstream_unusable')
    return failing(target, error, 'channel.cooldown_unusable', error)
  endTrial(target)
  if (error instanceof Fault) return error
  if (error instanceof Untranslatable) return untranslatableFault(error.flaw)
  throw error
}

function failing(target: Target, error: unknown, reason: MessageKey, fault: Fault): Fault {
  recordFailure(target, {
    kind: failureKind(error),
    reason,
    of_key: false,
    of_model: false,
    fatal: false,
    trips_breaker: true,
  })
  return fault
}
