/** Sets quota aside for the whole prompt and the requested output. */

import { quotaOf } from '../../billing/bill.ts'
import { type Price, priceAt } from '../../billing/price.ts'
import { usageOf } from '../../billing/usage.ts'
import { OUTPUT_STEP } from '../../contracts/relay.ts'
import { option } from '../../domain/options/index.ts'
import { extend, type Reservation, release, reserve as setAside, settle } from '../../domain/wallet/index.ts'
import type { ApiCaller, Call } from '../call.ts'

/** The reserved quota of one call. It is settled, or released when it is disposed. */
export class CallReservation implements AsyncDisposable {
  #settled = false

  constructor(
    private readonly reservation: Reservation,
    /** Output tokens of all choices that the quota pays for; infinite with a price per call. */
    public output: number,
  ) {}

  get quota(): number {
    return this.reservation.quota
  }

  /**
   * @param output tokens that `more` quota pays for
   * @returns false when the balance does not pay for `more`
   */
  async extend(more: number, output = 0): Promise<boolean> {
    const extended = await extend(this.reservation, more)
    if (extended) this.output += output
    return extended
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

/** @throws Refusal 403 when the user or the token has less quota left */
export async function reserve(call: Call, { token, user }: ApiCaller, price: Price): Promise<CallReservation> {
  const reservation = await setAside({
    request_id: call.request_id,
    user_id: user.id,
    token_id: token.id,
    unlimited: token.unlimited_quota,
    quota: estimate(call, price),
  })
  return new CallReservation(reservation, price.mode === 'call' ? Number.POSITIVE_INFINITY : expectedOutput(call))
}

/** Output tokens that the reservation covers from the start. */
export const expectedOutput = ({ facts }: Call): number => (facts.max_output ?? OUTPUT_STEP) * facts.choices

/** Quota that the call may cost. */
export function estimate(call: Call, price: Price): number {
  const output = expectedOutput(call)
  const missing = Math.max(0, option('PreConsumedQuota') - call.prompt_tokens - output)
  const input = call.prompt_tokens + missing
  return quotaOf({ ...usageOf({ input, calls: call.facts.calls }), ...expected(output, priceAt(price, input)) }, price)
}

/** Quota that further output may cost after a prompt of this length. */
export function outputQuota(output: number, prompt: number, price: Price): number {
  const pinned = priceAt(price, prompt)
  return quotaOf(usageOf(expected(output, pinned)), pinned)
}

/** All output may be reasoning, where that is dearer. */
const expected = (output: number, { reasoning_ratio = 0, completion_ratio }: Price) => ({
  output,
  reasoning: reasoning_ratio > completion_ratio ? output : 0,
})
