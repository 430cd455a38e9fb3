/**
 * PostgreSQL: the holds of many users' calls in one round trip. A call is held here where no other transaction has the
 * turn of its user, and plenty is free, of its budgets too; every other call holds alone.
 */
import { NODE_ID } from '../../cluster/node.ts'
import { UserStatus } from '../../contracts/account.ts'
import { postgres } from '../../db/database.ts'
import { type AskedBudgets, budgetParts, type HeldTogether, heldOf } from '../budgets/index.ts'
import { USER_LOCKS } from './hold-alone.ts'
import { amountsOf, PLENTY, type Reservation } from './reservation.ts'

/**
 * @param wanted with the quota, and where they have budgets the tokens, that each decides for an endless balance. Those that
 * hold get their holds of budgets
 * @returns ids of the requests that hold
 */
export async function holdTogether(wanted: readonly Reservation[]): Promise<Set<string>> {
  const asked = wanted.flatMap((reservation, place): AskedBudgets[] => {
    const { request_id, budgets } = reservation
    return budgets ? [{ place, request_id, budgets, amounts: amountsOf(reservation) }] : []
  })
  if (!asked.length) {
    const [, held] = await postgres!.atOnce([turnsOf(wanted), holdsOf(wanted)])
    return new Set(held.map(({ request_id }) => request_id as string))
  }
  const [, [row]] = await postgres!.atOnce([turnsOf(wanted), holdsWithBudgets(wanted, asked)])
  const answer = row.answer as HeldTogether
  const holds = heldOf(asked, answer)
  for (const reservation of wanted) reservation.holds = holds.get(reservation.request_id)
  return new Set(answer.held)
}

/** The ids of the users whose turn it is are a setting of the transaction: the second statement sees what was committed before. */
const turnsOf = (wanted: readonly Reservation[]) =>
  `select set_config('tollgate.turns', coalesce(string_agg(id::text, ','), ''), true)
  from unnest('{${[...new Set(wanted.map(({ user_id }) => user_id))].join()}}'::bigint[]) id
  where pg_try_advisory_xact_lock(${USER_LOCKS} + id)
    and exists (select 1 from nodes where nodes.id = '${NODE_ID}' for key share)`

const holdsOf = (wanted: readonly Reservation[]) => `with ${funds(wanted)} ${insert} returning request_id`

function holdsWithBudgets(wanted: readonly Reservation[], asked: readonly AskedBudgets[]) {
  const { check, write, answer } = budgetParts(asked, PLENTY)
  const held = `held as (${insert} and place not in (select place from "full") returning request_id)`
  return `with ${[funds(wanted), check, held, write].join()} select ${answer} as answer`
}

/** Of several calls of a user or key each one sees those before it, as if they held already. */
const funds = (wanted: readonly Reservation[]) => `
  wanted as (
    select *,
      sum(quota) over (partition by user_id order by place) - quota as before,
      sum(quota) over (partition by token_id order by place) - quota as before_of_token
    from (values ${wanted.map(valuesOf).join()}) as call (place, request_id, user_id, token_id, unlimited, quota)
    where user_id = any (string_to_array(nullif(current_setting('tollgate.turns'), ''), ',')::bigint[])
  ), user_funds as (
    select id, quota - coalesce((select sum(quota) from reservations where user_id = users.id), 0) as free
    from users
    where id in (select user_id from wanted) and status = ${UserStatus.enabled} and deleted_time is null
  ), token_funds as (
    select id, remain_quota - coalesce((select sum(quota) from reservations where token_id = tokens.id), 0) as free
    from tokens
    where id in (select token_id from wanted where not unlimited)
  )`

const insert = `
  insert into reservations (request_id, user_id, token_id, quota, node, created_time)
  select request_id, user_id, token_id, wanted.quota, '${NODE_ID}', cast(extract(epoch from now()) as bigint)
  from wanted
  join user_funds on user_funds.id = user_id
  left join token_funds on token_funds.id = token_id and not unlimited
  where user_funds.free - before >= ${PLENTY} * wanted.quota
    and (unlimited or token_funds.free - before_of_token >= ${PLENTY} * wanted.quota)`

const valuesOf = ({ request_id, user_id, token_id, unlimited, quota }: Reservation, place: number) =>
  `(${place}, ${quoted(request_id)}, ${user_id}::bigint, ${token_id}::bigint, ${unlimited}, ${quota}::bigint)`

/** Statements in one round trip take no parameters. Ids are made here, of characters that end no text. */
export function quoted(request_id: string): string {
  if (!/^[\w-]+$/.test(request_id)) throw new Error(`${request_id} is no id of a request`)
  return `'${request_id}'`
}
