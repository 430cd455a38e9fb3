/** PostgreSQL: the holds of one user's calls in a transaction of their own, which waits for the user's turn. */
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { databaseTime, NODE_ID, stayJoined } from '../../cluster/node.ts'
import { atomic, rawQuery, run } from '../../db/atomic.ts'
import { bulkInsert } from '../../db/bulk-insert.ts'
import type { Tx } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { repeatIfLost } from '../../db/repeat.ts'
import {
  type BudgetHold,
  type BudgetState,
  checkRoom,
  holdsOfRequests,
  keepHolds,
  statesIn,
  statesOfRows,
  takeChannelTurn,
} from '../budgets/index.ts'
import { tokens } from '../tokens/table.ts'
import { users } from '../users/table.ts'
import {
  amountsOf,
  checkFunds,
  type DecideQuota,
  decideHold,
  extended,
  type Funds,
  isActive,
  type More,
  type Reservation,
} from './reservation.ts'
import { reservations } from './table.ts'

export interface WantedHold {
  reservation: Reservation
  decide: DecideQuota
}

/** Advisory locks of users begin here; those of `db/atomic` are smaller. */
export const USER_LOCKS = 2 ** 40
/** For the turn, and for other locks. A node that is paused in a turn keeps it for ten seconds at most. */
const LOCK_TIMEOUT_MS = 2000

/**
 * Sets the quota of each call that holds.
 * @param isRepeated what a lost transaction may have held is found
 * @returns the refusals of the others, by their place
 */
export function holdAlone(wanted: readonly WantedHold[], isRepeated = false): Promise<(Error | undefined)[]> {
  const { user_id } = wanted[0]!.reservation
  return repeatIfLost(isFirst =>
    atomic(function* (tx) {
      yield* takeTurn(tx, user_id)
      const before = isFirst && !isRepeated ? noHolds : yield* heldBy(tx, wanted)
      const turn: Turn = { funds: new Map(), rows: [], states: yield* statesOf(tx, wanted), holds: [] }
      const refusals: (Error | undefined)[] = []
      for (const one of wanted) {
        const held = before.get(one.reservation.request_id)
        if (held) takeOver(one.reservation, held)
        refusals.push(held ? undefined : yield* holdOne(tx, turn, one))
      }
      yield* run(keep(tx, turn.rows))
      yield* keepHolds(tx, turn.holds)
      return refusals
    }),
  )
}

/** What a user's keys have left, read once, and what one call after the other holds of it. */
interface Turn {
  funds: Map<number, Funds>
  rows: ReturnType<typeof rowOf>[]
  /** Budgets of the calls, by id. */
  states: Map<number, BudgetState>
  holds: { request_id: string; holds: BudgetHold[] }[]
}

function* statesOf(tx: Tx, wanted: readonly WantedHold[]) {
  const all = new Map(wanted.flatMap(({ reservation }) => reservation.budgets?.map(one => [one.id, one]) ?? []))
  const states = all.size ? yield* statesIn(tx, [...all.values()]) : []
  return new Map(states.map(state => [state.budget.id, state]))
}

/** @returns the refusal */
function* holdOne(tx: Tx, { funds, rows, states, holds }: Turn, { reservation, decide }: WantedHold) {
  const { token_id } = reservation
  const read = funds.get(token_id) ?? (yield* readFunds(tx, reservation))
  funds.set(token_id, read)
  const heldHere = (some: Turn['rows']) => some.reduce((sum, { quota }) => sum + quota, 0)
  const held = read.held + heldHere(rows)
  const held_of_token = read.held_of_token + heldHere(rows.filter(row => row.token_id === token_id))
  const counted = reservation.budgets?.flatMap(({ id }) => states.get(id) ?? [])
  try {
    decideHold({ ...read, held, held_of_token }, reservation, decide, counted)
  } catch (refusal) {
    return refusal as Error
  }
  for (const { budget, amount } of reservation.holds ?? []) states.get(budget.id)!.held += amount
  if (reservation.holds) holds.push({ request_id: reservation.request_id, holds: reservation.holds })
  rows.push(rowOf(reservation, reservation.quota))
}

/** Holds more for a running call. Takes all anew where another node took this one for dead and freed what it held. */
export const extendBy = (reservation: Reservation, more: More): Promise<void> =>
  repeatIfLost(() =>
    atomic(function* (tx) {
      const whole = extended(reservation, more)
      yield* takeTurn(tx, reservation.user_id)
      const held = (yield* heldBy(tx, [{ reservation }])).get(reservation.request_id)?.quota
      checkFunds(yield* readFunds(tx, reservation), reservation, whole.quota, held)
      yield* run(keep(tx, [rowOf(reservation, whole.quota)]))
      if (reservation.holds) yield* extendHolds(tx, reservation, whole)
    }),
  )

function* extendHolds(tx: Tx, { request_id, holds = [] }: Reservation, whole: More) {
  for (const { budget } of holds) if (budget.owner === 'channel') yield* takeChannelTurn(tx, budget.owner_id)
  const amounts = amountsOf(whole)
  checkRoom(yield* statesOfRows(tx, request_id, holds), amounts)
  const grown = holds.map(hold => ({ ...hold, amount: amounts[hold.budget.unit] }))
  yield* keepHolds(tx, [{ request_id, holds: grown }])
}

/** The turn is a statement of its own: the read after it sees everything that the last holder committed. */
function* takeTurn(tx: Tx, user_id: number) {
  yield* waitBriefly(tx)
  yield* stayJoined(tx)
  yield* run(rawQuery(tx, sql`select pg_advisory_xact_lock(${USER_LOCKS + user_id})`))
}

/** From here on in the transaction, for each lock. */
export function* waitBriefly(tx: Tx) {
  yield* run(rawQuery(tx, sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`))
}

function* readFunds(tx: Tx, { user_id, token_id }: Reservation) {
  const [funds] = yield* run(fundsOf(tx, { user_id, token_id }))
  return funds ?? nothing
}

const nothing: Funds = { active: false, balance: 0, remain: 0, held: 0, held_of_token: 0 }
const noHolds: ReadonlyMap<string, FormerHold> = new Map()

/** What a call holds whose transaction was lost. */
interface FormerHold {
  quota: number
  holds: BudgetHold[] | undefined
}

function takeOver(reservation: Reservation, { quota, holds }: FormerHold) {
  reservation.quota = quota
  if (!holds) return
  reservation.holds = holds
  reservation.tokens = reservation.tokensOf?.(Number.POSITIVE_INFINITY) ?? 0
}

/** Of those that hold, by the id of their request. */
function* heldBy(tx: Tx, wanted: readonly Pick<WantedHold, 'reservation'>[]) {
  const ids = wanted.map(({ reservation }) => reservation.request_id)
  const { request_id, quota } = reservations
  const rows = yield* run(tx.select({ request_id, quota }).from(reservations).where(inArray(request_id, ids)))
  const budgets = wanted.flatMap(({ reservation }) => reservation.budgets ?? [])
  const holds = budgets.length ? yield* holdsOfRequests(tx, ids, budgets) : undefined
  return new Map(rows.map(row => [row.request_id, { quota: row.quota, holds: holds?.get(row.request_id) }]))
}

const heldWhere = (condition: SQL) =>
  sql<number>`(select coalesce(sum(${reservations.quota}), 0) from ${reservations} where ${condition})`

const fundsOf = prepared(db =>
  db
    .select({
      active: isActive,
      balance: users.quota,
      remain: sql<number>`coalesce(${tokens.remain_quota}, 0)`.mapWith(Number),
      held: heldWhere(eq(reservations.user_id, users.id)).mapWith(Number),
      held_of_token: heldWhere(eq(reservations.token_id, tokens.id)).mapWith(Number),
    })
    .from(users)
    .leftJoin(tokens, eq(tokens.id, sql.placeholder('token_id')))
    .where(eq(users.id, sql.placeholder('user_id'))),
)

const rowOf = ({ request_id, user_id, token_id }: Reservation, quota: number) => ({
  ...{ request_id, user_id, token_id, quota },
  node: NODE_ID,
})

const keep = bulkInsert(['request_id', 'user_id', 'token_id', 'quota', 'node'], (db, rows) =>
  db
    .insert(reservations)
    .values(rows.map(row => ({ ...row, created_time: databaseTime })))
    .onConflictDoUpdate({ target: reservations.request_id, set: { quota: sql`excluded.quota` } }),
)
