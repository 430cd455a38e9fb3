/** SQLite, one process: what running calls hold is in memory, so that a crash gives it back; what was used is read once. */
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { db } from '../../db/database.ts'
import { prepared, rowsNow } from '../../db/prepared.ts'
import { now } from '../../process/clock.ts'
import { store } from '../../process/stores.ts'
import type { BudgetHold, BudgetState } from './hold.ts'
import { type BudgetRow, budgetWindows } from './table.ts'
import { isOfClock, isWithin, type TimeWindow, windowAt } from './window.ts'

/**
 * By the id of a budget, its window of now, and those before it in which calls still run. One that nothing is booked in
 * is forgotten with the process.
 */
const open = store('open-budget-windows', new Map<number, BudgetState[]>())

/** Read in the tick that decides: they change with calls. */
export const statesHere = (budgets: readonly BudgetRow[]): BudgetState[] => budgets.map(stateNow)

/** Budgets in the windows that a running call is booked in, without what it holds itself. */
export const statesOfHolds = (holds: readonly BudgetHold[]): BudgetState[] =>
  holds.map(({ budget, window, amount }) => {
    const { used, held } = openAt(budget.id, window.start) ?? unopened(budget, window)
    return { budget, window, used, held: held - amount }
  })

export function holdHere(holds: readonly BudgetHold[]) {
  for (const { budget, window, amount } of holds) {
    const state = openAt(budget.id, window.start) ?? opened(budget, window)
    state.held += amount
  }
}

export function freeHere(holds: readonly BudgetHold[]) {
  for (const { budget, window, amount } of holds) {
    const state = openAt(budget.id, window.start)
    if (state) state.held -= amount
  }
}

/** What a transaction leaves in windows, once it has committed. */
export function keepUsed(left: readonly WindowSum[]) {
  for (const { budget_id, start, used } of left) {
    const state = openAt(budget_id, start)
    if (state) state.used = used
  }
}

export interface WindowSum {
  budget_id: number
  start: number
  used: number
}

/** The budget is deleted. */
export const forgetWindows = (budget_id: number) => open.delete(budget_id)

const openAt = (budget_id: number, start: number) => open.get(budget_id)?.find(({ window }) => window.start === start)

const unopened = (budget: BudgetRow, window: TimeWindow): BudgetState => ({
  ...{ budget, window },
  used: rowsNow(usedBy(db, { id: budget.id, start: window.start }))[0]?.used ?? 0,
  held: 0,
})

function opened(budget: BudgetRow, window: TimeWindow): BudgetState {
  const state = unopened(budget, window)
  const running = open.get(budget.id)?.filter(({ held }) => held > 0) ?? []
  open.set(budget.id, [...running, state])
  return state
}

function stateNow(budget: BudgetRow): BudgetState {
  const at = now()
  const current = open.get(budget.id)?.find(({ window }) => window.start <= at && at < window.end)
  if (!current) return otherState(budget, at)
  // The row may have been changed since.
  current.budget = budget
  return current
}

/** A rolling window opens with the call that is held, not with one that only looks. */
function otherState(budget: BudgetRow, at: number): BudgetState {
  const around = isOfClock(budget) ? undefined : windowAround(budget, at)
  const window = windowAt(budget, at, around)
  const known = openAt(budget.id, window.start)
  if (known) return known
  return isOfClock(budget) || around ? opened(budget, window) : unopened(budget, window)
}

/** The first window of a rolling budget that a call now may belong to, also where a clock was set back. */
function windowAround({ id, seconds }: BudgetRow, at: number): TimeWindow | undefined {
  const here = open.get(id)?.map(({ window }) => window) ?? []
  const stored = rowsNow(windowsAround(db, { id, at, after: at - seconds, before: at + seconds }))
  return [...here.filter(window => isWithin(window, seconds, at)), ...stored].sort((a, b) => a.start - b.start)[0]
}

const value = sql.placeholder

const windowsAround = prepared(db =>
  db
    .select({ start: budgetWindows.start, end: budgetWindows.end })
    .from(budgetWindows)
    .where(
      and(
        eq(budgetWindows.budget_id, value('id')),
        gt(budgetWindows.start, value('after')),
        lt(budgetWindows.start, value('before')),
        gt(budgetWindows.end, value('at')),
      ),
    )
    .orderBy(budgetWindows.start)
    .limit(1),
)

const usedBy = prepared(db =>
  db
    .select({ used: budgetWindows.used })
    .from(budgetWindows)
    .where(and(eq(budgetWindows.budget_id, value('id')), eq(budgetWindows.start, value('start')))),
)
