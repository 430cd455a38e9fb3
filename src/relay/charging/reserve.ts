/** Sets quota aside for the whole prompt and the requested output. */

import type { Price } from '../../billing/price.ts'
import type { Candidate } from '../../domain/routing/index.ts'
import { extend, type Reservation, release, reserve as setAside, settle } from '../../domain/wallet/index.ts'
import type { ApiCaller, Call } from '../call.ts'
import { cacheWriteOf } from './cache-writes.ts'
import { expectedOutput } from './estimate.ts'
import { holdFor } from './hold.ts'

/** The reserved quota of one call. It is settled, or released when it is disposed. */
export class CallReservation implements AsyncDisposable {
  #settled = false

  constructor(
    private readonly reservation: Reservation,
    /** Output tokens of all choices that the quota pays for; infinite where the price or the output has other units. */
    public output: number,
  ) {}

  get quota(): number {
    return this.reservation.quota
  }

  /**
   * @param output tokens that `more` quota pays for
   * @throws Refusal 403 when the balance does not pay for `more`
   */
  async extend(more: number, output = 0): Promise<void> {
    await extend(this.reservation, more)
    this.output += output
  }

  /** Resolves when the bill is durable. */
  settle(bill: Parameters<typeof settle>[1]): Promise<void> {
    this.#settled = true
    return settle(this.reservation, bill)
  }

  async [Symbol.asyncDispose]() {
    if (!this.#settled) await release(this.reservation)
  }
}

/**
 * Reserves for the prompt and for all output that the call can produce. Where that is more than a fair part of what is
 * free, the call's output is limited to what can be paid. @throws Refusal 403 when even little output cannot be paid
 */
export async function reserve(
  call: Call,
  { token, user }: ApiCaller,
  price: Price,
  candidates: readonly Candidate[],
): Promise<CallReservation> {
  call.cache_write = cacheWriteOf(call, candidates)
  const reservation = await setAside(
    { request_id: call.request_id, user_id: user.id, token_id: token.id, unlimited: token.unlimited_quota, quota: 0 },
    holdFor(call, price, candidates),
  )
  const isFixed = price.mode === 'call' || call.facts.max_output === 0
  return new CallReservation(reservation, isFixed ? Number.POSITIVE_INFINITY : expectedOutput(call))
}
