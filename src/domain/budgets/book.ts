/** What ended calls have used, booked in the windows in which they began, in the transaction that bills them. */
import { type SQL, sql } from 'drizzle-orm'
import { completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import type { BudgetUnit } from '../../contracts/budget.ts'
import { onCommit, run } from '../../db/atomic.ts'
import { bulkInsert } from '../../db/bulk-insert.ts'
import type { Tx } from '../../db/database.ts'
import { announcement } from '../../process/announcement.ts'
import type { BudgetHold } from './hold.ts'
import { keepUsed, type WindowSum } from './memory.ts'
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

/** Listeners hear of windows in which something was booked, once that is durable. */
export const booked = announcement<readonly WindowSum[]>('budget-booked')

interface BookedCall {
  at: number
  bookings?: readonly Booking[]
}

/** Budgets that were deleted meanwhile are left out. Windows are written in one order on every node. */
export function* book(tx: Tx, calls: readonly BookedCall[]) {
  const hours = sumsOf(calls)
  if (!hours.length) return []
  const left: WindowSum[] = (yield* run(addToWindows(tx, windowsOf(hours)))).flat()
  yield* run(addToHours(tx, hours))
  onCommit(tx, () => keepUsed(left))
  return left
}

interface HourSum extends WindowSum {
  end: number
  hour: number
}

/** By window and hour, in the order of ids. */
export function sumsOf(calls: readonly BookedCall[]): HourSum[] {
  const sums = new Map<number, HourSum[]>()
  for (const { at, bookings } of calls) {
    if (!bookings) continue
    const hour = at - (at % HOUR_SECONDS)
    for (const booking of bookings) addTo(sums, booking, hour)
  }
  const ordered = [...sums.values()].sort(([a], [b]) => a!.budget_id - b!.budget_id)
  return ordered.flatMap(ofBudget => ofBudget.sort((a, b) => a.start - b.start || a.hour - b.hour))
}

/** Of one budget there are one or two sums. */
function addTo(sums: Map<number, HourSum[]>, { budget, start, end, amount }: Booking, hour: number) {
  const ofBudget = sums.get(budget.id)
  const sum = ofBudget?.find(one => one.start === start && one.hour === hour)
  if (sum) {
    sum.used += amount
    return
  }
  const first = { budget_id: budget.id, start, end, hour, used: amount }
  if (ofBudget) ofBudget.push(first)
  else sums.set(budget.id, [first])
}

function windowsOf(hours: readonly HourSum[]) {
  const windows: (HourSum & { noticed: number })[] = []
  for (const hour of hours) {
    const last = windows.at(-1)
    if (last?.budget_id === hour.budget_id && last.start === hour.start) last.used += hour.used
    else if (hour.start !== OUTSIDE) windows.push({ ...hour, noticed: 0 })
  }
  return windows
}

/** Whole numbers of rows whose first is the id of a budget, without those of budgets that are gone. */
function ofBudgets(names: readonly string[], rows: readonly Record<string, unknown>[]): SQL {
  const valuesOf = (row: Record<string, unknown>) =>
    sql`(${sql.join(
      names.map(name => sql`cast(${row[name]} as bigint)`),
      sql`, `,
    )})`
  const columns = names.map((_, at) => sql.raw(`added.column${at + 1}`))
  return sql`select ${sql.join(columns, sql`, `)}
    from (values ${sql.join(rows.map(valuesOf), sql`, `)}) as added
    join ${budgets} budget on budget.id = added.column1 where true`
}

const windowColumns = ['budget_id', 'start', 'end', 'used', 'noticed']

const addToWindows = bulkInsert(windowColumns, (db, rows) =>
  db
    .insert(budgetWindows)
    .select(ofBudgets(windowColumns, rows))
    .onConflictDoUpdate({
      target: [budgetWindows.budget_id, budgetWindows.start],
      set: { used: sql`${budgetWindows.used} + excluded.used` },
    })
    .returning({ budget_id: budgetWindows.budget_id, start: budgetWindows.start, used: budgetWindows.used }),
)

const hourColumns = ['budget_id', 'start', 'hour', 'used']

const addToHours = bulkInsert(hourColumns, (db, rows) =>
  db
    .insert(budgetHours)
    .select(ofBudgets(hourColumns, rows))
    .onConflictDoUpdate({
      target: [budgetHours.budget_id, budgetHours.hour, budgetHours.start],
      set: { used: sql`${budgetHours.used} + excluded.used` },
    }),
)
