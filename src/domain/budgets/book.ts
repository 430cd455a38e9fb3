/** What ended calls have used, booked in the windows in which they began, in the transaction that bills them. */
import { eq, sql } from 'drizzle-orm'
import { completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import type { BudgetUnit } from '../../contracts/budget.ts'
import { run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { batch, prepared } from '../../db/prepared.ts'
import { announcement } from '../../process/announcement.ts'
import type { BudgetHold } from './hold.ts'
import type { WindowSum } from './memory.ts'
import { type BudgetRow, budgetHours, budgets, budgetWindows } from './table.ts'

/** In place of the start of a window: the call began before the budget was made, and is booked in none. */
export const OUTSIDE = -1
const HOUR_SECONDS = 3600

export interface Booking {
  budget: BudgetRow
  start: number
  end: number
  amount: number
}

export const usedBy = (unit: BudgetUnit, { quota, usage }: { quota: number; usage: Usage }): number => {
  if (unit === 'calls') return 1
  return unit === 'quota' ? quota : promptTokens(usage) + completionTokens(usage)
}

/** @param known budgets that the call counts against now. @returns undefined for none */
export function bookingsOf(
  holds: readonly BudgetHold[],
  known: readonly BudgetRow[],
  bill: { quota: number; usage: Usage },
): Booking[] | undefined {
  const bookings = holds.map(
    ({ budget, window }): Booking => ({ budget, ...window, amount: usedBy(budget.unit, bill) }),
  )
  for (const budget of known) {
    if (holds.some(hold => hold.budget.id === budget.id)) continue
    bookings.push({ budget, start: OUTSIDE, end: OUTSIDE, amount: usedBy(budget.unit, bill) })
  }
  return bookings.length ? bookings : undefined
}

/** A window with what was added to it. */
export interface BookedWindow extends WindowSum {
  added: number
}

/** Listeners hear of windows in which something was booked, once that is durable. */
export const booked = announcement<readonly BookedWindow[]>('budget-booked')

interface BookedCall {
  at: number
  bookings?: readonly Booking[]
}

/** Budgets that were deleted meanwhile are left out. Windows are written in one order on every node. */
export function* book(tx: Tx, calls: readonly BookedCall[]) {
  const hours = sumsOf(calls)
  if (!hours.length) return []
  const windows = [...Map.groupBy(hours, ({ budget_id, start }) => `${budget_id} ${start}`).values()].map(rows => ({
    ...rows[0]!,
    used: rows.reduce((sum, { used }) => sum + used, 0),
  }))
  const inWindows = windows.filter(({ start }) => start !== OUTSIDE)
  const left: WindowSum[] = (yield* run(batch(inWindows.map(window => addToWindow(tx, window))))).flat()
  yield* run(batch(hours.map(hour => addToHour(tx, hour))))
  const added = new Map(inWindows.map(({ budget_id, start, used }) => [`${budget_id} ${start}`, used]))
  return left.map(sum => ({ ...sum, added: added.get(`${sum.budget_id} ${sum.start}`)! }))
}

interface HourSum extends WindowSum {
  end: number
  hour: number
}

/** By window and hour, in the order of ids. */
export function sumsOf(calls: readonly BookedCall[]): HourSum[] {
  const sums = new Map<string, HourSum>()
  for (const { at, bookings } of calls) {
    if (!bookings) continue
    const hour = at - (at % HOUR_SECONDS)
    for (const { budget, start, end, amount } of bookings) {
      const key = `${budget.id} ${start} ${hour}`
      const sum = sums.get(key) ?? { budget_id: budget.id, start, end, hour, used: 0 }
      sum.used += amount
      sums.set(key, sum)
    }
  }
  return [...sums.values()].sort((a, b) => a.budget_id - b.budget_id || a.start - b.start || a.hour - b.hour)
}

const value = (name: string) => sql<number>`cast(${sql.placeholder(name)} as bigint)`

/** Nothing where the budget is gone. */
export const addToWindow = prepared(db =>
  db
    .insert(budgetWindows)
    .select(
      db
        .select({
          budget_id: budgets.id,
          start: value('start').as('start'),
          end: value('end').as('end'),
          used: value('used').as('used'),
          noticed: sql<number>`0`.as('noticed'),
        })
        .from(budgets)
        .where(eq(budgets.id, sql.placeholder('budget_id'))),
    )
    .onConflictDoUpdate({
      target: [budgetWindows.budget_id, budgetWindows.start],
      set: { used: sql`${budgetWindows.used} + excluded.used` },
    })
    .returning({ budget_id: budgetWindows.budget_id, start: budgetWindows.start, used: budgetWindows.used }),
)

export const addToHour = prepared(db =>
  db
    .insert(budgetHours)
    .select(
      db
        .select({
          budget_id: budgets.id,
          start: value('start').as('start'),
          hour: value('hour').as('hour'),
          used: value('used').as('used'),
        })
        .from(budgets)
        .where(eq(budgets.id, sql.placeholder('budget_id'))),
    )
    .onConflictDoUpdate({
      target: [budgetHours.budget_id, budgetHours.hour, budgetHours.start],
      set: { used: sql`${budgetHours.used} + excluded.used` },
    }),
)
