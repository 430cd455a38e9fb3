/** What is charged or given back later is booked where the call was: the hour of its bill, and the window in it. */
import { and, desc, eq, inArray, or, sql } from 'drizzle-orm'
import { onCommit, run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { keepUsed } from './memory.ts'
import { budgetHours, budgets, budgetWindows } from './table.ts'

const HOUR_SECONDS = 3600

export interface BookedBill {
  user_id: number
  token_id: number
  channel_id: number
  model: string
  /** Unix seconds of the bill. */
  at: number
  /** Unix seconds at which the call began, where that is known. */
  began?: number
  /** Of the key that served it, where that is known. */
  key_hash?: string
}

/** Changes what budgets of quota have used, in the transaction that changes the balance, once user and channel are locked. */
export function* changeBooked(tx: Tx, bill: BookedBill, quota: number) {
  const { user_id, token_id, channel_id, model, at, key_hash = '' } = bill
  const rows = yield* run(
    tx
      .select({ id: budgets.id, models: budgets.models, pruned_until: budgets.pruned_until })
      .from(budgets)
      .where(
        and(
          eq(budgets.unit, 'quota'),
          inArray(budgets.key_hash, ['', key_hash]),
          or(
            and(eq(budgets.owner, 'user'), eq(budgets.owner_id, user_id)),
            and(eq(budgets.owner, 'token'), eq(budgets.owner_id, token_id)),
            and(eq(budgets.owner, 'channel'), eq(budgets.owner_id, channel_id)),
          ),
        ),
      )
      .orderBy(budgets.id),
  )
  const hour = at - (at % HOUR_SECONDS)
  for (const { id, models, pruned_until } of rows) {
    if (models.length && !models.includes(model)) continue
    yield* changeIn(tx, { id, hour, began: bill.began ?? at, isWhole: hour >= pruned_until }, quota)
  }
}

interface PlaceOfCall {
  id: number
  hour: number
  began: number
  /** No window of the hour is deleted. */
  isWhole: boolean
}

/** Of several windows in the hour the one in which the call began, as far as that had so much booked. */
function* changeIn(tx: Tx, { id, hour, began, isWhole }: PlaceOfCall, quota: number) {
  const hours = yield* run(
    tx
      .select({ start: budgetHours.start, used: budgetHours.used })
      .from(budgetHours)
      .where(and(eq(budgetHours.budget_id, id), eq(budgetHours.hour, hour)))
      .orderBy(desc(budgetHours.start)),
  )
  const able = hours.filter(({ used }) => used + quota >= 0)
  const chosen = able.find(({ start }) => start <= began) ?? (isWhole ? able.at(-1) : undefined)
  if (!chosen) return
  const { start } = chosen
  yield* run(
    tx
      .update(budgetHours)
      .set({ used: sql`${budgetHours.used} + ${quota}` })
      .where(and(eq(budgetHours.budget_id, id), eq(budgetHours.hour, hour), eq(budgetHours.start, start))),
  )
  const left = yield* run(
    tx
      .update(budgetWindows)
      .set({ used: sql`${budgetWindows.used} + ${quota}` })
      .where(and(eq(budgetWindows.budget_id, id), eq(budgetWindows.start, start)))
      .returning({ budget_id: budgetWindows.budget_id, start: budgetWindows.start, used: budgetWindows.used }),
  )
  onCommit(tx, () => keepUsed(left))
}
