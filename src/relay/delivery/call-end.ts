/** The end of a call, for whole responses, files, streams and realtime sessions alike. */

import { completionTokens, promptTokens } from '../../billing/usage.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { type EndReason, wasServed } from '../../contracts/relay.ts'
import { BudgetExhausted } from '../../domain/budgets/index.ts'
import { recordBadRequest, recordFailure, recordSuccess, redacted } from '../../domain/routing/index.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import type { MeteredUsage } from '../../formats/format.ts'
import { log, reason as reasonOf } from '../../process/log.ts'
import { mark } from '../../process/marks.ts'
import { deadline, onShutdown } from '../../process/shutdown.ts'
import { LiveItems } from '../../pure/live-items.ts'
import type { BillableCall, Call } from '../call.ts'
import { logsContent } from '../charging/logged-content.ts'
import {
  type BillCondition,
  type BilledResponse,
  type BilledUsage,
  settle,
  settleUnanswered,
} from '../charging/settle.ts'
import type { Cleanup } from '../cleanup.ts'
import { failureOfStream } from '../errors/classify-error.ts'
import { ClientDisconnected } from '../errors/fault.ts'
import { departuresOver } from '../request/departure.ts'
import { countBroken } from '../watching/attempt-metrics.ts'
import { recordRefused } from '../watching/record-refused.ts'
import { errorType, reportFailed, reportServed, upstreamTimes } from '../watching/report-call.ts'
import { checkAccess, watchAccess } from './access.ts'

/** What the end of a call needs of the response that is being delivered. */
export interface Delivery {
  response: BilledResponse & { call: Call }
  /** @param reason how the upstream's part of the call ended */
  meter(reason: EndReason): MeteredUsage | Promise<MeteredUsage>
  /** Stops reading from the upstream. @param reason how the upstream's part of the call ended */
  hangUp?(reason: EndReason): void
  /** What else the bill depends on, absent for most. */
  condition?: BillCondition
  /** The failure that the upstream has reported. */
  failure?(): ApiError | undefined
}

/** Bills that are being made: the process does not close its books before. */
const settling = new LiveItems<Promise<unknown>>()
onShutdown('flush', callsBilled)

/** Resolves when every call that has ended, or whose client has left, is billed. */
export async function callsBilled() {
  await departuresOver()
  await Promise.allSettled(settling)
}

const running = new LiveItems<CallEnd>()
deadline.addEventListener('abort', () => {
  for (const end of running) void end.finish('stopped', new Refusal('relay.stopping', {}, 503))
})

watchAccess(running)

/** Settles, frees and aborts a call once, whatever ends it: the first reason counts. */
export class CallEnd {
  reason: EndReason | undefined
  /** Tells the client why the call ended early. */
  error: Error | undefined
  #delivery: Delivery | undefined
  #settled: Promise<BilledUsage> | undefined
  #billable: BillableCall
  #leaveRunning: (() => void) | undefined

  constructor(
    billable: BillableCall,
    private readonly cleanup: Cleanup,
  ) {
    this.#billable = billable
  }

  /** With the call as it was sent, with the channel's parameter override, once an upstream responds. */
  get billable(): BillableCall {
    return this.#billable
  }

  /** Nothing of the group before could serve the call, and it goes on in another, or with another model. */
  moveTo({ call, caller, price, reservation }: Omit<BillableCall, 'slots'>) {
    this.#billable = { call, caller, price, reservation: this.cleanup.use(reservation), slots: this.#billable.slots }
  }

  /** An upstream has responded: from now on the call is billed, and ends with the process. */
  begin(delivery: Delivery) {
    this.#delivery = delivery
    const { call } = delivery.response
    if (!logsContent()) call.canonical.release()
    if (call !== this.#billable.call) this.#billable = { ...this.#billable, call }
    this.#leaveRunning ??= running.add(this)
    checkAccess(this)
  }

  /** Runs after the bill is durable. */
  afterwards(work: () => void) {
    this.cleanup.defer(work)
  }

  /** A response that is complete is still abandoned by a client that has left. @returns when the bill is durable */
  finish(reason: EndReason, error?: Error): Promise<BilledUsage> {
    if (this.#settled) return this.#settled
    mark('deliver')
    const delivery = this.#delivery!
    this.#leaveRunning?.()
    const ended = reason === 'finished' && this.billable.call.departure.isReadOn ? 'abandoned' : reason
    this.reason = ended
    this.error = error
    this.#record(delivery, ended, error)
    this.billable.call.trace?.settling(ended === 'finished' ? undefined : ended)
    this.#settled = this.#settle(delivery, reason, ended)
    this.#settled.catch(failure =>
      log.error('call not settled', { request_id: this.billable.call.request_id, reason: reasonOf(failure) }),
    )
    track(this.#settled)
    delivery.hangUp?.(reason)
    return this.#settled
  }

  /** Tells operators and the channel's health how the upstream's part has ended. */
  #record({ response, failure }: Delivery, reason: EndReason, error: Error | undefined) {
    const { channel, key = '', call, first_ms } = response
    const target = { channel, key, model: call.facts.model }
    if (reason !== 'broken')
      return recordSuccess(target, call.facts.stream ? call.attempts.ownPart(first_ms) : undefined)
    countBroken(channel.id)
    const reported = failure?.()
    this.billable.call.attempts.breakOff(redacted(reported?.message ?? '', channel) || error?.message || '')
    const counted = failureOfStream(reported, target, call)
    if (counted) recordFailure(target, counted)
    else recordBadRequest(target)
  }

  /** @param reason how the upstream's part of the call ended. @param ended how the call ended */
  async #settle(delivery: Delivery, reason: EndReason, ended: EndReason): Promise<BilledUsage> {
    const { response, condition } = delivery
    const timesOf = upstreamTimes(this.billable)
    this.#note(response, ended)
    try {
      const metered = delivery.meter(reason)
      const usage = metered instanceof Promise ? await metered : metered
      const tokens = tokensOf(usage)
      this.billable.slots.release(wasServed(ended), tokens)
      this.billable.call.attempts.leavePlace(tokens)
      mark('meter')
      const billed = await settle(this.billable, response, usage, ended, condition)
      const { channel, first_ms } = response
      const { endpoint, facts } = this.billable.call
      const times = timesOf(facts.stream ? first_ms : undefined)
      const has_body = endpoint.operation !== 'realtime'
      const answered = response.facts
      reportServed(this.billable, billed, { channel, first_ms, reason: ended, has_body, answered }, times)
      return billed
    } finally {
      await this.cleanup.free()
    }
  }

  #note({ first_ms }: Delivery['response'], ended: EndReason) {
    const { call, reservation } = this.billable
    call.attempts.complete(first_ms)
    call.recorder.ended(call)
    if (ended === 'exhausted' && this.error instanceof BudgetExhausted) call.recorder.endedByBudget(this.error)
    else if (ended === 'exhausted') call.recorder.meet('quota', reservation.quota)
    if (ended === 'stopped') call.recorder.meet('stopped')
  }

  /** No target responded: nothing is billed, except the prompt of a client that left an upstream at work. */
  async fail(error: unknown): Promise<never> {
    let billed: BilledUsage | undefined
    this.billable.call.trace?.settling(errorType(error))
    try {
      if (error instanceof ClientDisconnected && error.was_sent) {
        billed = await track(settleUnanswered(this.billable))
        this.billable.slots.release(false, tokensOf(billed))
      }
    } finally {
      recordRefused(this.billable.call, this.billable.caller, error)
      reportFailed(this.billable, error, billed)
      await this.cleanup.free()
    }
    throw error
  }
}

const tokensOf = ({ usage }: MeteredUsage): number => promptTokens(usage) + completionTokens(usage)

function track<T>(bill: Promise<T>): Promise<T> {
  const done = settling.add(bill)
  bill.then(done, done)
  return bill
}
