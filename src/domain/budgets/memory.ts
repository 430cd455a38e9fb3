/** SQLite, one process: what running calls hold is in memory, so that a crash gives it back; what was used is read once. */
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { CacheUntilWrite } from '../../db/cache-until-write.ts'
import { db, type Tx } from '../../db/database.ts'
import { prepared, rowsNow } from '../../db/prepared.ts'
import { now } from '../../process/clock.ts'
import { store } from '../../process/stores.ts'
import type { BudgetHold, BudgetState } from './hold.ts'
import { type BudgetRow, budgetWindows } from './table.ts'
import { isOfClock, isWithin, type TimeWindow, windowAt } from './window.ts'

/** Held in a window, by `keyOf`. */
const held = store('held-of-budgets', new Map<string, number>())
/** Windows of rolling budgets that a call has opened; one that nothing was booked in is forgotten with the process. */
const opened = store('opened-budget-windows', new Map<number, TimeWindow>())
/** What is used of the windows of a budget, by their start. */
const usedOf = new CacheUntilWrite<Map<number, number>>(() => new Map())
/** By the cached row: a changed budget is another one. */
const windowMemo = new WeakMap<BudgetRow, TimeWindow>()

const keyOf = (budget: BudgetRow, { start }: TimeWindow) => `${budget.id} ${start}`

/** Read in the tick that decides. */
export const statesHere = (budgets: readonly BudgetRow[]): BudgetState[] =>
  budgets.map(budget => stateIn(budget, windowOf(budget)))

/** Budgets in the windows that a running call is booked in, without what it holds itself. */
export const statesOfHolds = (holds: readonly BudgetHold[]): BudgetState[] =>
  holds.map(({ budget, window, amount }) => {
    const state = stateIn(budget, window)
    return { ...state, held: state.held - amount }
  })

export const stateIn = (budget: BudgetRow, window: TimeWindow): BudgetState => ({
  ...{ budget, window },
  used: usedAt(budget.id, window.start),
  held: held.get(keyOf(budget, window)) ?? 0,
})

export function holdHere(holds: readonly BudgetHold[]) {
  for (const { budget, window, amount } of holds) {
    if (!isOfClock(budget)) opened.set(budget.id, window)
    change(keyOf(budget, window), amount)
  }
}

export function freeHere(holds: readonly BudgetHold[]) {
  for (const { budget, window, amount } of holds) change(keyOf(budget, window), -amount)
}

function change(key: string, amount: number) {
  const sum = (held.get(key) ?? 0) + amount
  if (sum) held.set(key, sum)
  else held.delete(key)
}

export function windowOf(budget: BudgetRow): TimeWindow {
  const at = now()
  const known = isOfClock(budget) ? windowMemo.get(budget) : opened.get(budget.id)
  if (known && isCurrent(known, budget, at)) return known
  const window = windowAt(budget, at, isOfClock(budget) ? undefined : storedAround(budget, at))
  if (isOfClock(budget)) windowMemo.set(budget, window)
  return window
}

const isCurrent = (window: TimeWindow, budget: BudgetRow, at: number) =>
  isOfClock(budget) ? window.start <= at && at < window.end : isWithin(window, budget.seconds, at)

function storedAround({ id, seconds }: BudgetRow, at: number): TimeWindow | undefined {
  return rowsNow(windowsAround(db, { id, at, after: at - seconds, before: at + seconds }))[0]
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

function usedAt(id: number, start: number): number {
  const known = usedOf.get(id)
  let used = known.get(start)
  if (used === undefined) {
    used = rowsNow(usedBy(db, { id, start }))[0]?.used ?? 0
    known.set(start, used)
  }
  return used
}

const usedBy = prepared(db =>
  db
    .select({ used: budgetWindows.used })
    .from(budgetWindows)
    .where(and(eq(budgetWindows.budget_id, value('id')), eq(budgetWindows.start, value('start')))),
)

/** What a transaction leaves in windows. */
export interface WindowSum {
  budget_id: number
  start: number
  used: number
}

/** What is known outlasts a transaction that only bills. Called before its first write. @returns takes what it leaves */
export function keepUsed(tx: Tx): (left: readonly WindowSum[]) => void {
  const keep = usedOf.outlast(tx)
  return left =>
    keep(known => {
      for (const { budget_id, start, used } of left) known.get(budget_id)?.set(start, used)
    })
}
