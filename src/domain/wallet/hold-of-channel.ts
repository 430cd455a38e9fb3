/** PostgreSQL: what a running call holds of the budgets of its channel, in the turn of that channel. */
import { stayJoined } from '../../cluster/node.ts'
import { atomic } from '../../db/atomic.ts'
import { repeatIfLost } from '../../db/repeat.ts'
import {
  type BudgetHold,
  type BudgetRow,
  freeHolds,
  holdsIn,
  keepHolds,
  statesIn,
  takeChannelTurn,
} from '../budgets/index.ts'
import { waitBriefly } from './hold-alone.ts'
import { amountsOf, type Reservation } from './reservation.ts'

/** @throws BudgetExhausted */
export async function holdOfChannel(reservation: Reservation, channel_id: number, budgets: readonly BudgetRow[]) {
  const { request_id } = reservation
  const more = await repeatIfLost(isFirst =>
    atomic(function* (tx) {
      yield* waitBriefly(tx)
      yield* stayJoined(tx)
      yield* takeChannelTurn(tx, channel_id)
      // What a lost transaction may have held is decided for anew.
      if (!isFirst) yield* freeHolds(tx, [request_id], budgets)
      const holds = holdsIn(yield* statesIn(tx, budgets), amountsOf(reservation))
      yield* keepHolds(tx, [{ request_id, holds }])
      return holds
    }),
  )
  reservation.holds = [...(reservation.holds ?? []), ...more]
}

export async function giveBackHolds({ request_id }: Reservation, holds: readonly BudgetHold[]) {
  const budgets = holds.map(({ budget }) => budget)
  await repeatIfLost(() => atomic(tx => freeHolds(tx, [request_id], budgets)))
}
