/** Deletes windows that ended long ago, with their hours: nothing shows them any more. */
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { atomic, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { budgetHours, budgets, budgetWindows } from './table.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400
/** After the end of a window. */
const KEEP_SECONDS = 30 * DAY_SECONDS
/** Of windows shorter than an hour, of which there may be one each second. */
const KEEP_SHORT_SECONDS = DAY_SECONDS
const BATCH_ROWS = 1000

export async function pruneBudgets(signal: AbortSignal) {
  while (!signal.aborted) {
    const old = await oldWindows()
    for (const [id, windows] of Map.groupBy(old, ({ budget_id }) => budget_id)) {
      const starts = windows.map(({ start }) => start)
      await atomic(tx => deleteWindows(tx, id, starts))
    }
    if (old.length < BATCH_ROWS) return
    await Bun.sleep(1)
  }
}

function oldWindows() {
  const { seconds } = budgets
  const kept = sql`case when ${seconds} between 1 and ${HOUR_SECONDS - 1} then ${KEEP_SHORT_SECONDS} else ${KEEP_SECONDS} end`
  return db
    .select({ budget_id: budgetWindows.budget_id, start: budgetWindows.start })
    .from(budgetWindows)
    .innerJoin(budgets, eq(budgets.id, budgetWindows.budget_id))
    .where(lt(budgetWindows.end, sql`${now()} - ${kept}`))
    .limit(BATCH_ROWS)
}

/** The audit leaves out the hours up to the last one that is deleted: others of their windows may stay. */
function* deleteWindows(tx: Tx, budget_id: number, starts: number[]) {
  const { start } = budgetWindows
  yield* run(tx.delete(budgetWindows).where(and(eq(budgetWindows.budget_id, budget_id), inArray(start, starts))))
  const hours = yield* run(
    tx
      .delete(budgetHours)
      .where(and(eq(budgetHours.budget_id, budget_id), inArray(budgetHours.start, starts)))
      .returning({ hour: budgetHours.hour }),
  )
  const until = hours.reduce((last, { hour }) => Math.max(last, hour + HOUR_SECONDS), 0)
  yield* run(
    tx
      .update(budgets)
      .set({ pruned_until: until })
      .where(and(eq(budgets.id, budget_id), lt(budgets.pruned_until, until))),
  )
}
