/**
 * PostgreSQL: what many calls hold of budgets, as parts of one statement which reads what is left, decides and writes. Where
 * the owners' turns have been taken in a statement before it, no other call can take what it finds left.
 */
import { now } from '../../process/clock.ts'
import type { Amounts, BudgetHold } from './hold.ts'
import type { BudgetRow } from './table.ts'
import { isOfClock, type TimeWindow, windowAt } from './window.ts'

export interface AskedBudgets {
  /** Of the call, in the statement's `wanted`. */
  place: number
  request_id: string
  budgets: readonly BudgetRow[]
  amounts: Amounts
}

/** A budget as the statement finds it, in the window of now. */
interface FoundBudget {
  id: number
  amount: number
  refuses: boolean
  start: number
  end: number
}

export interface HeldTogether {
  /** Ids of the requests that hold. */
  held: string[]
  found: FoundBudget[]
}

/**
 * @param plenty how many times a call's quota or tokens have to be left
 * @returns parts of a statement without parameters, whose `wanted` has `place` and `request_id`: `check` makes `full`, the
 * places of the calls without room; `write` wants `held`, the ids of those that hold; `answer` is a `HeldTogether`
 */
export function budgetParts(asked: readonly AskedBudgets[], plenty: number) {
  const rows = asked.flatMap(({ place, budgets, amounts }) =>
    budgets.map(
      ({ id, unit }) => `(${place}, ${id}::bigint, ${amounts[unit]}::bigint, ${unit === 'calls' ? 1 : plenty})`,
    ),
  )
  const at = now()
  const known = [...byId(asked).values()].map(budget => windowRow(budget, windowAt(budget, at), at))
  return { check: check(rows, known), write, answer }
}

const byId = (asked: readonly Pick<AskedBudgets, 'budgets'>[]) =>
  new Map(asked.flatMap(({ budgets }) => budgets.map(budget => [budget.id, budget])))

/** With the first and the last start that the window may be stored with, and the second that it has to reach beyond. */
function windowRow(budget: BudgetRow, { start, end }: TimeWindow, at: number): string {
  const { id, seconds } = budget
  const [first, last, beyond] = isOfClock(budget) ? [start, start, 0] : [at - seconds + 1, at + seconds - 1, at]
  const numbers = [id, start, end, first, last, beyond].map(number => `${number}::bigint`)
  return `(${numbers.join()}, ${!isOfClock(budget)})`
}

/** Of several calls on a budget each one sees those before it, as if they held already. */
const check = (rows: string[], known: string[]) => `
  asked as materialized (
    select *, sum(needed) over (partition by budget_id order by place) - needed as before
    from (values ${rows.join()}) as ask (place, budget_id, needed, plenty)
    where place in (select place from wanted)
  ), found_budget as materialized (
    select budget.id, budget.amount, budget.refuses, known.opens,
      coalesce(stored.start, known.start) as start, coalesce(stored.end, known.end) as end,
      coalesce(stored.used, 0) as used, coalesce((
        select sum(amount) from budget_holds hold
        where hold.budget_id = budget.id and hold.start = coalesce(stored.start, known.start)
      ), 0) as held
    from (values ${known.join()}) as known (id, start, "end", first, last, beyond, opens)
    join budgets budget on budget.id = known.id
    left join lateral (
      select start, "end", used from budget_windows one
      where one.budget_id = known.id and one.start between known.first and known.last and one.end > known.beyond
      order by one.start limit 1
    ) stored on true
  ), "full" as materialized (
    select place from asked join found_budget budget on budget.id = budget_id
    where budget.refuses and budget.amount - budget.used - budget.held - before < plenty * needed
  )`

const write = `
  held_of_budget as (
    insert into budget_holds (request_id, budget_id, start, amount)
    select request_id, budget.id, budget.start, needed
    from wanted join asked using (place) join found_budget budget on budget.id = budget_id
    where request_id in (select request_id from held)
    returning budget_id
  ), opened as (
    insert into budget_windows (budget_id, start, "end")
    select id, start, "end" from found_budget
    where opens and id in (select budget_id from held_of_budget)
    on conflict do nothing
  )`

const answer = `json_build_object(
    'held', (select coalesce(json_agg(request_id), '[]') from held),
    'found', (select coalesce(json_agg(json_build_object(
      'id', id, 'amount', amount, 'refuses', refuses, 'start', start, 'end', "end"
    )), '[]') from found_budget))`

/** What each call holds, by the id of its request. Budgets that were deleted meanwhile are left out. */
export function heldOf(asked: readonly AskedBudgets[], { held, found }: HeldTogether): Map<string, BudgetHold[]> {
  const rows = new Map(found.map(row => [row.id, row]))
  const holding = new Set(held)
  const holds = (budget: BudgetRow, amounts: Amounts): BudgetHold[] => {
    const row = rows.get(budget.id)
    if (!row) return []
    const { amount, refuses, start, end } = row
    return [{ budget: { ...budget, amount, refuses }, window: { start, end }, amount: amounts[budget.unit] }]
  }
  return new Map(
    asked
      .filter(({ request_id }) => holding.has(request_id))
      .map(({ request_id, budgets, amounts }) => [request_id, budgets.flatMap(budget => holds(budget, amounts))]),
  )
}
