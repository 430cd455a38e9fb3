/** Addresses of budgets: they are drawers over the page of their owner. */
import type { BudgetOwner } from '../../src/contracts/budget.ts'
import { rowId } from '../../src/contracts/list-address.ts'

/** Parameters of the page's address: ids of budgets, and that of the owner of a new one. */
export const budgetOverlays = { budget: rowId, new_budget: rowId, delete_budget: rowId }

/** The drawer of the owner, or one of a budget. */
type Overlay = { edit: number } | { budget: number } | { new_budget: number } | { delete_budget: number }

/** The page whose rows have budgets. */
export interface BudgetPlace {
  owner: BudgetOwner
  at: (overlay: Overlay) => string
  /** Target of a form: `3/budgets` makes one of owner 3, `budgets/5` changes it, `budgets/5/delete`. */
  action: (path: string) => string
}
