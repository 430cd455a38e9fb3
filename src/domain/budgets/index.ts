/** Budgets: limits of quota, tokens or calls in windows of time, held with the balance and booked with the bill. */

export { auditBudgets } from './audit.ts'
export { type Booking, book, booked, bookingsOf, sumsOf } from './book.ts'
export { type BookedBill, changeBooked } from './change-booked.ts'
export { BudgetExhausted, type BudgetHold, type BudgetState, checkRoom, holdsIn, leftIn } from './hold.ts'
export { areBudgets, budgetsAsOf, budgetsOf, budgetsOfCaller, loadOwners, onBudgetsChanged } from './lookup.ts'
export { freeHere, holdHere, statesHere, statesOfHolds, type WindowSum } from './memory.ts'
export { pruneBudgets } from './prune.ts'
export { freeHolds, holdsOfRequests, keepHolds, statesIn, statesOfRows, takeChannelTurn } from './rows.ts'
export { budgetNames, budgetRow, budgetRowsIn, insertBudget, removeBudget, updateBudget } from './service.ts'
export { budgetsShown } from './shown.ts'
export { type BudgetRow, budgetHolds } from './table.ts'
export { NEVER_ENDS } from './window.ts'
