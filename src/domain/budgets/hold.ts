/** What a call holds of budgets: the rule that both engines share. */
import { BUDGET_HEADERS, type BudgetUnit } from '../../contracts/budget.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { now } from '../../process/clock.ts'
import { rfc3339 } from '../../pure/time.ts'
import type { BudgetRow } from './table.ts'
import { NEVER_ENDS, type TimeWindow } from './window.ts'

/** What a call takes of a budget, by its unit. */
export type Amounts = Readonly<Record<BudgetUnit, number>>

/** A budget in the window of now. */
export interface BudgetState {
  budget: BudgetRow
  window: TimeWindow
  used: number
  /** By calls that run. */
  held: number
}

/** A part of a window that a running call holds; the call is booked there, whenever it ends. */
export interface BudgetHold {
  readonly budget: BudgetRow
  readonly window: TimeWindow
  amount: number
}

/** 429: a budget has less left than a call may take. */
export class BudgetExhausted extends Refusal {
  readonly headers: Record<string, string>
  readonly budget_id: number
  /** Names and figures of these are the operator's. */
  readonly isOfChannel: boolean
  /** It counts one key of a channel: others may have room. */
  readonly isOfKey: boolean

  /** @param needed what the call may take. @param held by running calls, this one left out */
  constructor({ budget, window, used, held }: BudgetState, needed: number) {
    const { name, unit, amount } = budget
    // Running calls may give back what they hold.
    const waits_for_calls = used + needed <= amount
    const seconds = waits_for_calls ? 1 : Math.max(1, window.end - now())
    const ends = window.end !== NEVER_ENDS
    const params = { name, unit, used, held, amount, needed, seconds }
    super(waits_for_calls || ends ? 'relay.budget_exhausted' : 'relay.budget_spent', params, 429)
    this.budget_id = budget.id
    this.isOfChannel = budget.owner === 'channel'
    this.isOfKey = budget.key_hash !== ''
    this.headers = {
      [BUDGET_HEADERS.name]: encodeURIComponent(name),
      [BUDGET_HEADERS.unit]: unit,
      [BUDGET_HEADERS.used]: String(used),
      [BUDGET_HEADERS.limit]: String(amount),
      ...(ends && { [BUDGET_HEADERS.reset]: rfc3339(window.end) }),
    }
  }
}

/** What the strictest budget of a unit has left; infinite where none refuses. */
export function leftIn(states: readonly BudgetState[], unit: BudgetUnit): number {
  let least = Number.POSITIVE_INFINITY
  for (const { budget, used, held } of states) {
    if (budget.unit === unit && budget.refuses) least = Math.min(least, Math.max(0, budget.amount - used - held))
  }
  return least
}

/**
 * What a call holds of each budget. @param amounts that it may take
 * @throws BudgetExhausted of the one that has no room for the longest time
 */
export function holdsIn(states: readonly BudgetState[], amounts: Amounts): BudgetHold[] {
  checkRoom(states, amounts)
  return states.map(({ budget, window }) => ({ budget, window, amount: amounts[budget.unit] }))
}

/** @throws BudgetExhausted */
export function checkRoom(states: readonly BudgetState[], amounts: Amounts) {
  let longest: BudgetExhausted | undefined
  for (const state of states) {
    const { budget, used, held } = state
    const needed = amounts[budget.unit]
    if (!budget.refuses || used + held + needed <= budget.amount) continue
    const refusal = new BudgetExhausted(state, needed)
    if (!longest || Number(refusal.params.seconds) > Number(longest.params.seconds)) longest = refusal
  }
  if (longest) throw longest
}
