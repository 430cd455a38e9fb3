/** The rows of budgets. Who may change them is decided above. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import { BUDGETS_PER_OWNER_MAX, type BudgetEdit, type BudgetOwner, type NewBudget } from '../../contracts/budget.ts'
import { notFound, Refusal } from '../../contracts/refusal.ts'
import { onCommit, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { count } from '../../db/fragments.ts'
import { now } from '../../process/clock.ts'
import { announceBudgets } from './lookup.ts'
import { forgetWindows } from './memory.ts'
import { type BudgetRow, budgetHolds, budgetHours, budgets, budgetWindows } from './table.ts'

const ofOwner = (owner: BudgetOwner, owner_id: number) => and(eq(budgets.owner, owner), eq(budgets.owner_id, owner_id))

export const budgetRowsOf = (owner: BudgetOwner, owner_id: number): Promise<BudgetRow[]> =>
  db.select().from(budgets).where(ofOwner(owner, owner_id)).orderBy(budgets.id)

/** Of those that still exist, by id. */
export async function budgetNames(ids: number[]): Promise<Map<number, string>> {
  if (!ids.length) return new Map()
  const rows = await db.select({ id: budgets.id, name: budgets.name }).from(budgets).where(inArray(budgets.id, ids))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** In a transaction, as `budgetRowsOf`. */
export const budgetRowsIn = (tx: Tx, owner: BudgetOwner, owner_id: number) =>
  run(tx.select().from(budgets).where(ofOwner(owner, owner_id)).orderBy(budgets.id))

/** Under the lock of its owner. @param field of the form, for too many. @throws Refusal 400 above the limit of budgets */
export function* insertBudget(tx: Tx, budget: NewBudget, field = 'name') {
  const { owner, owner_id } = budget
  const isOwn = and(ofOwner(owner, owner_id), eq(budgets.rule_id, 0))
  const [before] = yield* run(tx.select({ total: count() }).from(budgets).where(isOwn))
  if (before!.total >= BUDGETS_PER_OWNER_MAX)
    throw new Refusal('budget.too_many', { max: BUDGETS_PER_OWNER_MAX }, 400, field)
  const [made] = yield* run(
    tx
      .insert(budgets)
      .values({ ...budget, created_time: now() })
      .returning(),
  )
  yield* announceBudgets(tx, owner, owner_id)
  return made!
}

/** @throws Refusal 404, also for one that a rule has made: it changes with its rule */
export function* budgetRow(tx: Tx, id: number) {
  const [row] = yield* run(
    tx
      .select()
      .from(budgets)
      .where(and(eq(budgets.id, id), eq(budgets.rule_id, 0))),
  )
  if (!row) throw notFound('budget.not_found')
  return row
}

/** What was used in its windows stays. */
export function* updateBudget(tx: Tx, before: BudgetRow, changes: BudgetEdit) {
  // Setting the id to itself lets an edit be empty.
  const set = { ...changes, id: sql`${budgets.id}` }
  const [after] = yield* run(tx.update(budgets).set(set).where(eq(budgets.id, before.id)).returning())
  if (!after) throw notFound('budget.not_found')
  if (after.per_key) yield* run(tx.update(budgets).set(set).where(eq(budgets.rule_id, after.id)))
  yield* announceBudgets(tx, after.owner, after.owner_id)
  return after
}

/** Running calls that hold some of it end as before; it is booked no more. */
export function* removeBudget(tx: Tx, { id, owner, owner_id }: BudgetRow) {
  const removed = yield* run(tx.delete(budgets).where(eq(budgets.id, id)).returning({ id: budgets.id }))
  if (!removed.length) throw notFound('budget.not_found')
  const ofKeys = yield* run(tx.delete(budgets).where(eq(budgets.rule_id, id)).returning({ id: budgets.id }))
  const ids = [...removed, ...ofKeys].map(one => one.id)
  yield* run(tx.delete(budgetWindows).where(inArray(budgetWindows.budget_id, ids)))
  yield* run(tx.delete(budgetHours).where(inArray(budgetHours.budget_id, ids)))
  yield* run(tx.delete(budgetHolds).where(inArray(budgetHolds.budget_id, ids)))
  onCommit(tx, () => ids.forEach(forgetWindows))
  yield* announceBudgets(tx, owner, owner_id)
}
