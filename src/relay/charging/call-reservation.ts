/** The quota that one call holds. */

import type { BudgetExhausted } from '../../domain/budgets/index.ts'
import { extend, holdOfChannel, type MakeRecord, type Reservation, release, settle } from '../../domain/wallet/index.ts'
import { type Awaitable, DONE } from '../../pure/awaitable.ts'

/** The reserved quota of one call. It is settled, or released when it is disposed. */
export class CallReservation implements AsyncDisposable {
  #ended = false
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

  /** Of the channel's key, where a budget counts that by itself. */
  get key_hash(): string | undefined {
    return this.reservation.holds?.find(({ budget }) => budget.key_hash)?.budget.key_hash
  }

  /**
   * @param output tokens that `more` quota pays for
   * @param tokens that budgets hold; those of the output unless given
   * @throws Refusal 403 when the balance does not pay for `more`, 429 when a budget has less left
   */
  async extend(more: number, output = 0, tokens = output): Promise<void> {
    await extend(this.reservation, more, tokens)
    this.paid_output += output
  }

  /** The call goes to this channel, with this key. @returns the refusal where its budgets have no room; undefined at once where it has none */
  holdOfChannel(channel_id: number, key: string): Awaitable<BudgetExhausted | undefined> {
    return holdOfChannel(this.reservation, channel_id, key)
  }

  /** The quota pays for another number of output tokens than was asked for. */
  cover(output: number) {
    this.paid_output = output
  }

  /** Ends without a bill or a record: the call is reserved for anew. Resolves when the quota is free. */
  giveBack(): Promise<void> {
    this.#ended = true
    return release(this.reservation)
  }

  /** Resolves when the bill is durable. */
  settle(bill: Parameters<typeof settle>[1]): Promise<void> {
    this.#ended = true
    return settle(this.reservation, bill, this.recordOf())
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#ended ? DONE : release(this.reservation, this.recordOf())
  }
}
