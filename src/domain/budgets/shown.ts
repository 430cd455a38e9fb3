/** Budgets with what is used and held of their windows of now. */
import type { Budget, BudgetOwner } from '../../contracts/budget.ts'
import { withoutTransaction } from '../../db/atomic.ts'
import { dialect } from '../../db/dialect.ts'
import type { BudgetState } from './hold.ts'
import { statesHere } from './memory.ts'
import { statesIn } from './rows.ts'
import { budgetRowsOf } from './service.ts'
import type { BudgetRow } from './table.ts'
import { NEVER_ENDS } from './window.ts'

export const budgetsShown = async (owner: BudgetOwner, owner_id: number): Promise<Budget[]> =>
  shown(await budgetRowsOf(owner, owner_id))

/** Those that still exist. */
export async function shown(rows: BudgetRow[]): Promise<Budget[]> {
  if (!rows.length) return []
  const states = dialect === 'sqlite' ? statesHere(rows) : await withoutTransaction(tx => statesIn(tx, rows))
  return states.map(viewOf)
}

function viewOf({ budget, window, used, held }: BudgetState): Budget {
  const is_open = budget.window !== 'all' && (budget.window !== 'rolling' || used + held > 0)
  const [starts_at, ends_at] = is_open ? [window.start, window.end] : [null, null]
  const { pruned_until: _, ...shown } = budget
  return { ...shown, used, reserved: held, starts_at, ends_at: ends_at === NEVER_ENDS ? null : ends_at }
}
