/** The quota that one call holds. */

import { extend, type MakeRecord, type Reservation, release, settle } from '../../domain/wallet/index.ts'
import { DONE } from '../../pure/awaitable.ts'

/** The reserved quota of one call. It is settled, or released when it is disposed. */
export class CallReservation implements AsyncDisposable {
  #settled = false
  /** @returns undefined where nothing is recorded of the call */
  recordOf: () => MakeRecord | undefined = () => undefined

  constructor(
    private readonly reservation: Reservation,
    private paid_output: number,
  ) {}

  /** Output tokens of all choices that the quota pays for; infinite where the price or the output has other units. */
  get output(): number {
    return this.paid_output
  }

  get quota(): number {
    return this.reservation.quota
  }

  /**
   * @param output tokens that `more` quota pays for
   * @throws Refusal 403 when the balance does not pay for `more`
   */
  async extend(more: number, output = 0): Promise<void> {
    await extend(this.reservation, more)
    this.paid_output += output
  }

  /** The quota pays for another number of output tokens than was asked for. */
  cover(output: number) {
    this.paid_output = output
  }

  /** Resolves when the bill is durable. */
  settle(bill: Parameters<typeof settle>[1]): Promise<void> {
    this.#settled = true
    return settle(this.reservation, bill, this.recordOf())
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#settled ? DONE : release(this.reservation, this.recordOf())
  }
}
