/** PostgreSQL: what running calls hold of the budgets of one channel, in a transaction of their own in its turn. */
import { stayJoined } from '../../cluster/node.ts'
import { atomic } from '../../db/atomic.ts'
import { repeatIfLost } from '../../db/repeat.ts'
import {
  BudgetExhausted,
  type BudgetHold,
  type BudgetRow,
  type BudgetState,
  freeHolds,
  holdsIn,
  keepHolds,
  statesIn,
  takeChannelTurn,
} from '../budgets/index.ts'
import { waitBriefly } from './hold-alone.ts'
import { amountsOf, type Reservation } from './reservation.ts'

export interface WantedOfChannel {
  reservation: Reservation
  budgets: readonly BudgetRow[]
}

/**
 * @param isRepeated what a lost transaction may have held is decided for anew
 * @returns what each call holds, or why there is no room for it
 */
export function holdOfChannel(channel_id: number, wanted: readonly WantedOfChannel[], isRepeated: boolean) {
  const budgets = [...new Map(wanted.flatMap(one => one.budgets.map(budget => [budget.id, budget]))).values()]
  const ids = wanted.map(({ reservation }) => reservation.request_id)
  return repeatIfLost(isFirst =>
    atomic(function* (tx) {
      yield* waitBriefly(tx)
      yield* stayJoined(tx)
      yield* takeChannelTurn(tx, channel_id)
      if (isRepeated || !isFirst) yield* freeHolds(tx, ids, budgets)
      const states = new Map((yield* statesIn(tx, budgets)).map(state => [state.budget.id, state]))
      const held = wanted.map(one => holdOne(states, one))
      const kept = held.flatMap((holds, at) => (Array.isArray(holds) ? [{ request_id: ids[at]!, holds }] : []))
      yield* keepHolds(tx, kept)
      return held
    }),
  )
}

function holdOne(states: Map<number, BudgetState>, { reservation, budgets }: WantedOfChannel) {
  try {
    const counted = budgets.flatMap(({ id }) => states.get(id) ?? [])
    const holds = holdsIn(counted, amountsOf(reservation))
    for (const { budget, amount } of holds) states.get(budget.id)!.held += amount
    return holds
  } catch (error) {
    if (error instanceof BudgetExhausted) return error
    throw error
  }
}

export async function giveBackHolds({ request_id }: Reservation, holds: readonly BudgetHold[]) {
  const budgets = holds.map(({ budget }) => budget)
  await repeatIfLost(() => atomic(tx => freeHolds(tx, [request_id], budgets)))
}
