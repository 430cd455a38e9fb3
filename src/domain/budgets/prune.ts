/** Deletes windows that ended long ago, with their hours: nothing shows them any more. */
import { and, asc, between, eq, gt, lt } from 'drizzle-orm'
import { atomic, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { budgetHours, budgets, budgetWindows } from './table.ts'
import type { TimeWindow } from './window.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400
/** After the end of a window. */
const KEEP_SECONDS = 30 * DAY_SECONDS
/** Of windows shorter than an hour, of which there may be one each second. */
const KEEP_SHORT_SECONDS = DAY_SECONDS
/** Calls are billed within it after the end of their window; the hours of longer ones stay. */
const LATE_SECONDS = 6 * HOUR_SECONDS
const BATCH_ROWS = 1000

export async function pruneBudgets(signal: AbortSignal) {
  for (let last = 0; !signal.aborted; ) {
    const rows = await db
      .select({ id: budgets.id, seconds: budgets.seconds })
      .from(budgets)
      .where(gt(budgets.id, last))
      .orderBy(asc(budgets.id))
      .limit(BATCH_ROWS)
    if (!rows.length) return
    for (const { id, seconds } of rows) {
      const isShort = seconds > 0 && seconds < HOUR_SECONDS
      await pruneWindows(id, now() - (isShort ? KEEP_SHORT_SECONDS : KEEP_SECONDS), signal)
    }
    last = rows.at(-1)!.id
    await Bun.sleep(1)
  }
}

async function pruneWindows(id: number, before: number, signal: AbortSignal) {
  const { start, end } = budgetWindows
  while (!signal.aborted) {
    // The start, which is before the end, is what the index has.
    const old = await db
      .select({ start, end })
      .from(budgetWindows)
      .where(and(eq(budgetWindows.budget_id, id), lt(start, before), lt(end, before)))
      .orderBy(asc(start))
      .limit(BATCH_ROWS)
    if (old.length) await atomic(tx => deleteWindows(tx, id, old[0]!, old.at(-1)!))
    if (old.length < BATCH_ROWS) return
    await Bun.sleep(1)
  }
}

/**
 * Windows do not overlap: between the first and the last all are old. The audit leaves out the hours up to the last one
 * that is deleted: others of their windows may stay.
 */
function* deleteWindows(tx: Tx, budget_id: number, first: TimeWindow, last: TimeWindow) {
  const { start } = budgetWindows
  yield* run(
    tx
      .delete(budgetWindows)
      .where(and(eq(budgetWindows.budget_id, budget_id), between(start, first.start, last.start))),
  )
  // By the index of hours: a budget with windows of a second has millions.
  const isNear = between(budgetHours.hour, first.start - (first.start % HOUR_SECONDS), last.end + LATE_SECONDS)
  const isOld = between(budgetHours.start, first.start, last.start)
  const hours = yield* run(
    tx
      .delete(budgetHours)
      .where(and(eq(budgetHours.budget_id, budget_id), isNear, isOld))
      .returning({ hour: budgetHours.hour }),
  )
  const until = hours.reduce((latest, { hour }) => Math.max(latest, hour + HOUR_SECONDS), 0)
  yield* run(
    tx
      .update(budgets)
      .set({ pruned_until: until })
      .where(and(eq(budgets.id, budget_id), lt(budgets.pruned_until, until))),
  )
}
