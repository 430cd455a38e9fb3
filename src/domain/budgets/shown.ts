/** Budgets with what is used and held of their windows of now. */
import type { Budget, BudgetOwner, UseOfKey } from '../../contracts/budget.ts'
import { withoutTransaction } from '../../db/atomic.ts'
import { dialect } from '../../db/dialect.ts'
import { channelById, maskKey, type RoutedChannel } from '../routing/index.ts'
import { keyHashOf } from '../stored-objects/index.ts'
import type { BudgetState } from './hold.ts'
import { statesHere } from './memory.ts'
import { statesIn } from './rows.ts'
import { budgetRowsOf } from './service.ts'
import { NEVER_ENDS } from './window.ts'

export async function budgetsShown(owner: BudgetOwner, owner_id: number): Promise<Budget[]> {
  const rows = await budgetRowsOf(owner, owner_id)
  if (!rows.length) return []
  const states = dialect === 'sqlite' ? statesHere(rows) : await withoutTransaction(tx => statesIn(tx, rows))
  const channel = rows.some(({ per_key }) => per_key) ? await channelById(owner_id) : undefined
  return states
    .filter(({ budget }) => !budget.rule_id)
    .map(state => (state.budget.per_key ? viewOfRule(state, states, channel) : viewOf(state)))
}

function viewOf({ budget, window, used, held }: BudgetState): Budget {
  const is_open = budget.window !== 'all' && (budget.window !== 'rolling' || used + held > 0)
  const [starts_at, ends_at] = is_open ? [window.start, window.end] : [null, null]
  const { pruned_until: _, rule_id: __, key_hash: ___, ...shown } = budget
  return { ...shown, used, reserved: held, starts_at, ends_at: ends_at === NEVER_ENDS ? null : ends_at }
}

/** Keys that have served no call yet have used nothing. */
function viewOfRule(rule: BudgetState, states: readonly BudgetState[], channel: RoutedChannel | undefined): Budget {
  const ofKey = (key: string): UseOfKey => {
    const hash = keyHashOf(key)
    const found = states.find(({ budget }) => budget.rule_id === rule.budget.id && budget.key_hash === hash)
    const { used, reserved, starts_at, ends_at } = viewOf(found ?? rule)
    return { key: maskKey(key), used, reserved, starts_at, ends_at }
  }
  const enabled = (channel?.good_keys ?? []).map(ofKey).sort((one, other) => takenOf(one) - takenOf(other))
  const { key: _, ...least } = enabled[0] ?? { key: '' }
  return { ...viewOf(rule), ...least, keys: (channel?.keys ?? []).map(ofKey) }
}

const takenOf = ({ used, reserved }: UseOfKey) => used + reserved
