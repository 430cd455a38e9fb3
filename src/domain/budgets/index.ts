/** Budgets: limits of quota, tokens or calls in windows of time, held with the balance and booked with the bill. */

export { auditBudgets } from './audit.ts'
export { type Booking, book, booked, bookingsOf, sumsOf } from './book.ts'
export { type BookedBill, changeBooked } from './change-booked.ts'
export { BudgetExhausted, type BudgetHold, type BudgetState, checkRoom, holdsIn, leftIn } from './hold.ts'
export { type AskedBudgets, budgetParts, type HeldTogether, heldOf } from './hold-together.ts'
export {
  areBudgets,
  budgetsOf,
  budgetsOfCaller,
  budgetsVersion,
  loadOwners,
  mayHaveBudgets,
  onBudgetsChanged,
} from './lookup.ts'
export { freeHere, holdHere, statesHere, statesOfHolds, type WindowSum } from './memory.ts'
export { budgetsOfTarget } from './per-key.ts'
export { pruneBudgets } from './prune.ts'
export { channelTurn, freeHolds, holdsOfRequests, keepHolds, statesIn, statesOfRows, takeChannelTurn } from './rows.ts'
export { budgetNames, budgetRow, budgetRowsIn, insertBudget, removeBudget, updateBudget } from './service.ts'
export { budgetsShown } from './shown.ts'
export { type BudgetRow, budgetHolds } from './table.ts'
export { NEVER_ENDS } from './window.ts'
