/** PostgreSQL, many nodes: what running calls hold are rows, written where no other call can take what is left. */
import { and, inArray, type SQL, sql } from 'drizzle-orm'
import { rawQuery, run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import type { BudgetHold, BudgetState } from './hold.ts'
import { type BudgetRow, budgetHolds, budgets, budgetWindows } from './table.ts'
import { isOfClock, windowAt } from './window.ts'

/** Of advisory locks with two numbers; settling has the first. */
const CHANNEL_BUDGETS = 2

/** Calls hold of a channel's budgets one after the other, over all nodes. @param channel_id in SQL */
export const channelTurn = (channel_id: string) => `pg_advisory_xact_lock(${CHANNEL_BUDGETS}, ${channel_id}::int)`

export const takeChannelTurn = (tx: Tx, channel_id: number) =>
  run(rawQuery(tx, sql.raw(`select ${channelTurn(String(channel_id))}`)))

/** Numbers come as text. */
interface FoundRow {
  id: string
  amount: string
  refuses: boolean
  start: string | null
  end: string | null
  used: string
  held: string
}

/** The budgets that still exist, in the windows of now. In the turn of their owner. */
export function* statesIn(tx: Tx, wanted: readonly BudgetRow[]) {
  const at = now()
  const windows = new Map(wanted.map(budget => [budget.id, windowAt(budget, at)]))
  const rows = wanted.map(budget => {
    const { start } = windows.get(budget.id)!
    return isOfClock(budget)
      ? sql`(${budget.id}::bigint, ${start}::bigint, ${start}::bigint, 0::bigint)`
      : sql`(${budget.id}::bigint, ${at - budget.seconds + 1}::bigint, ${at + budget.seconds - 1}::bigint, ${at}::bigint)`
  })
  const found = yield* run(rawQuery<FoundRow>(tx, statesAt(rows)))
  const byId = new Map(found.map(row => [Number(row.id), row]))
  return wanted.flatMap((cached): BudgetState[] => {
    const row = byId.get(cached.id)
    if (!row) return []
    const budget = { ...cached, amount: Number(row.amount), refuses: row.refuses }
    const stored = row.start === null ? undefined : { start: Number(row.start), end: Number(row.end) }
    const window = isOfClock(cached) ? windows.get(cached.id)! : windowAt(cached, at, stored)
    return [{ budget, window, used: Number(row.used), held: Number(row.held) }]
  })
}

/** @param wanted rows of id, first and last start of the window, and the second that it has to reach beyond */
const statesAt = (wanted: SQL[]) => sql`
  select budget.id, budget.amount, budget.refuses, found.start, found.end, coalesce(found.used, 0) as used, coalesce((
    select sum(amount) from ${budgetHolds} hold
    where hold.budget_id = budget.id and hold.start = coalesce(found.start, wanted.first)
  ), 0) as held
  from (values ${sql.join(wanted, sql`, `)}) as wanted (id, first, last, beyond)
  join ${budgets} budget on budget.id = wanted.id
  left join lateral (
    select start, "end", used from ${budgetWindows} one
    where one.budget_id = budget.id and one.start between wanted.first and wanted.last and one.end > wanted.beyond
    order by one.start limit 1
  ) found on true`

/** Budgets in the windows that a running call is booked in, without what it holds itself. */
export function* statesOfRows(tx: Tx, request_id: string, holds: readonly BudgetHold[]) {
  const wanted = holds.map(({ budget, window }) => sql`(${budget.id}::bigint, ${window.start}::bigint)`)
  const statement = sql`
    select wanted.id, coalesce((
      select used from ${budgetWindows} one where one.budget_id = wanted.id and one.start = wanted.start
    ), 0) as used, coalesce((
      select sum(amount) from ${budgetHolds} hold
      where hold.budget_id = wanted.id and hold.start = wanted.start and hold.request_id <> ${request_id}
    ), 0) as held
    from (values ${sql.join(wanted, sql`, `)}) as wanted (id, start)`
  const rows = yield* run(rawQuery<FoundRow>(tx, statement))
  const byId = new Map(rows.map(row => [Number(row.id), row]))
  return holds.map(({ budget, window }) => {
    const row = byId.get(budget.id)
    return { budget, window, used: Number(row?.used ?? 0), held: Number(row?.held ?? 0) }
  })
}

/** Writes what calls hold, and the windows that they open. */
export function* keepHolds(tx: Tx, calls: readonly { request_id: string; holds: readonly BudgetHold[] }[]) {
  const rows = calls.flatMap(({ request_id, holds }) =>
    holds.map(({ budget, window, amount }) => ({ request_id, budget_id: budget.id, start: window.start, amount })),
  )
  if (!rows.length) return
  const opened = new Map(
    calls
      .flatMap(({ holds }) => holds)
      .filter(({ budget }) => !isOfClock(budget))
      .map(({ budget, window }) => [budget.id, { budget_id: budget.id, ...window }]),
  )
  if (opened.size) {
    yield* run(
      tx
        .insert(budgetWindows)
        .values([...opened.values()].map(({ budget_id, start, end }) => ({ budget_id, start, end })))
        .onConflictDoNothing(),
    )
  }
  const target = [budgetHolds.request_id, budgetHolds.budget_id]
  const set = { amount: sql`excluded.amount`, start: sql`excluded.start` }
  yield* run(tx.insert(budgetHolds).values(rows).onConflictDoUpdate({ target, set }))
}

/** Deletes what calls hold: of all budgets, or of these. */
export function* freeHolds(tx: Tx, request_ids: readonly string[], of?: readonly BudgetRow[]) {
  const ids = of?.map(({ id }) => id)
  yield* run(
    tx
      .delete(budgetHolds)
      .where(
        and(inArray(budgetHolds.request_id, [...request_ids]), ids ? inArray(budgetHolds.budget_id, ids) : undefined),
      ),
  )
}

/** What calls hold whose transaction was lost, by the id of their request. */
export function* holdsOfRequests(tx: Tx, request_ids: readonly string[], known: readonly BudgetRow[]) {
  const byId = new Map(known.map(budget => [budget.id, budget]))
  const rows = yield* run(
    tx
      .select()
      .from(budgetHolds)
      .where(inArray(budgetHolds.request_id, [...request_ids])),
  )
  const holds = new Map<string, BudgetHold[]>()
  for (const { request_id, budget_id, start, amount } of rows) {
    const budget = byId.get(budget_id)
    if (!budget) continue
    const window = isOfClock(budget) ? windowAt(budget, start) : { start, end: start + budget.seconds }
    holds.set(request_id, [...(holds.get(request_id) ?? []), { budget, window, amount }])
  }
  return holds
}
