/** SQLite, one process: reservations are sums in memory, so a crash releases them. */
import { eq, sql } from 'drizzle-orm'
import { CacheUntilWrite } from '../../db/cache-until-write.ts'
import { db, type Tx } from '../../db/database.ts'
import { prepared, rowsNow } from '../../db/prepared.ts'
import { store } from '../../process/stores.ts'
import { checkRoom, freeHere, holdHere, holdsIn, statesHere, statesOfHolds } from '../budgets/index.ts'
import { tokens } from '../tokens/table.ts'
import { users } from '../users/table.ts'
import {
  amountsOf,
  checkFunds,
  decideHold,
  extended,
  type Funds,
  growBy,
  isActive,
  type Remainder,
  type Reservation,
  type ReservationStore,
} from './reservation.ts'

const heldByUser = store('held-by-user', new Map<number, number>())
const heldByToken = store('held-by-token', new Map<number, number>())

export const inMemory: ReservationStore = {
  durable: false,
  hold(reservation, decide) {
    const { budgets } = reservation
    decideHold(fundsOf(reservation), reservation, decide, budgets && statesHere(budgets))
    add(reservation, reservation.quota)
    if (reservation.holds) holdHere(reservation.holds)
  },
  async extend(reservation, more) {
    const { quota, holds } = reservation
    checkFunds(fundsOf(reservation), reservation, quota + more.quota, quota)
    if (holds) checkRoom(statesOfHolds(holds), amountsOf(extended(reservation, more)))
    if (holds) freeHere(holds)
    add(reservation, more.quota)
    // In the same tick: the call may end before the caller of this function continues.
    growBy(reservation, more)
    if (holds) holdHere(holds)
  },
  holdOfChannel(reservation, _, budgets) {
    const more = holdsIn(statesHere(budgets), amountsOf(reservation))
    reservation.holds = [...(reservation.holds ?? []), ...more]
    holdHere(more)
  },
  giveBack: (_, holds) => freeHere(holds),
  *free() {},
  keepThrough,
  forget(ended) {
    for (const reservation of ended) {
      add(reservation, -reservation.quota)
      if (reservation.holds) freeHere(reservation.holds)
    }
  },
}

/** Read in the tick that decides: during an await, another call could settle and change both sums. */
function fundsOf({ user_id, token_id }: Reservation): Funds {
  return {
    ...ownedByUser.get(user_id),
    remain: token_id ? ownedByToken.get(token_id) : 0,
    held: heldByUser.get(user_id) ?? 0,
    held_of_token: heldByToken.get(token_id) ?? 0,
  }
}

/** What users and tokens have left, kept through charges: a call that begins reads no row. */
const ownedByUser = new CacheUntilWrite(id => rowsNow(balanceOf(db, { id }))[0] ?? { active: false, balance: 0 })
const ownedByToken = new CacheUntilWrite(id => rowsNow(remainOf(db, { id }))[0]?.remain ?? 0)

const id = sql.placeholder('id')
const balanceOf = prepared(db =>
  db.select({ active: isActive, balance: users.quota }).from(users).where(eq(users.id, id)),
)
const remainOf = prepared(db => db.select({ remain: tokens.remain_quota }).from(tokens).where(eq(tokens.id, id)))

/** The caches with what a transaction leaves of the rows that it charges. */
function keepThrough(tx: Tx) {
  const [keepUsers, keepTokens] = [ownedByUser.outlast(tx), ownedByToken.outlast(tx)]
  return ({ balances, remains }: Remainder) => {
    keepUsers(owned => {
      for (const { user_id, balance } of balances) {
        const known = owned.get(user_id)
        if (known) known.balance = balance
      }
    })
    keepTokens(owned => {
      for (const { token_id, remain } of remains) if (owned.has(token_id)) owned.set(token_id, remain)
    })
  }
}

function add({ user_id, token_id }: Reservation, quota: number) {
  change(heldByUser, user_id, quota)
  if (token_id) change(heldByToken, token_id, quota)
}

function change(sums: Map<number, number>, id: number, quota: number) {
  const sum = (sums.get(id) ?? 0) + quota
  if (sum) sums.set(id, sum)
  else sums.delete(id)
}
