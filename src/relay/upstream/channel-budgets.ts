/** A channel whose budget has no room for the call is passed over, as one that cools down; so is a key with a budget of its own. */
import type { BudgetExhausted } from '../../domain/budgets/index.ts'
import type { Target } from '../../domain/routing/index.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import type { Call } from '../call.ts'
import type { CallReservation } from '../charging/call-reservation.ts'
import { Fault } from '../errors/fault.ts'

const MS_PER_SECOND = 1000

/** What one call has found full. */
export class ChannelBudgets {
  #held: Target | undefined
  #refusals: BudgetExhausted[] = []

  /** @param met hears of each budget without room, by its id */
  constructor(
    private readonly reservation: CallReservation,
    private readonly met: (budget_id: number) => void,
  ) {}

  /**
   * Holds what the call needs of the channel and its key, in place of those before. Known at once for a channel without
   * budgets.
   * @returns what has no room
   */
  hold(target: Target): Awaitable<'channel' | 'key' | undefined> {
    if (this.#held?.channel === target.channel && this.#held.key === target.key) return undefined
    this.#held = undefined
    return chain(this.reservation.holdOfChannel(target.channel.id, target.key), refusal => {
      if (!refusal) {
        this.#held = target
        return undefined
      }
      this.#refusals.push(refusal)
      this.met(refusal.budget_id)
      return refusal.isOfKey ? 'key' : 'channel'
    })
  }

  /** For the client, without the budget, which is the operator's; undefined where no channel was full. */
  fault({ facts: { model } }: Call): Fault | undefined {
    if (!this.#refusals.length) return undefined
    const seconds = Math.min(...this.#refusals.map(({ params }) => Number(params.seconds)))
    return new Fault({
      ...{ status: 429, code: 'relay.upstream_saturated', params: { model, seconds }, retry: false },
      retry_after_ms: seconds * MS_PER_SECOND,
    })
  }
}
