/** A channel whose budget has no room for the call is passed over, as one that cools down. */
import type { Refusal } from '../../contracts/refusal.ts'
import { BudgetExhausted } from '../../domain/budgets/index.ts'
import type { RoutedChannel } from '../../domain/routing/index.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import type { Call } from '../call.ts'
import type { CallReservation } from '../charging/call-reservation.ts'
import { Fault } from '../errors/fault.ts'

const MS_PER_SECOND = 1000

/** The channels that one call has found full. */
export class ChannelBudgets {
  #held: RoutedChannel | undefined
  #refusals: Refusal[] = []

  /** @param met hears of each budget without room, by its id */
  constructor(
    private readonly reservation: CallReservation,
    private readonly met: (budget_id: number) => void,
  ) {}

  /** Holds what the call needs of the channel, in place of the channel before. Known at once for one without budgets. */
  hasRoom(channel: RoutedChannel): Awaitable<boolean> {
    if (this.#held === channel) return true
    this.#held = undefined
    return chain(this.reservation.holdOfChannel(channel.id), refusal => {
      if (refusal) this.#refusals.push(refusal)
      else this.#held = channel
      if (refusal instanceof BudgetExhausted) this.met(refusal.budget_id)
      return !refusal
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
