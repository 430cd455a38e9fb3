/** SQLite, one process: reservations are sums in memory, so a crash releases them. */
import { eq, sql } from 'drizzle-orm'
import { cacheUntilWrite } from '../../db/cache-until-write.ts'
import { db } from '../../db/database.ts'
import { prepared, rowsNow } from '../../db/prepared.ts'
import { store } from '../../process/stores.ts'
import { tokens } from '../tokens/table.ts'
import { users } from '../users/table.ts'
import {
  checkFunds,
  decideQuota,
  type Funds,
  isActive,
  type Reservation,
  type ReservationStore,
} from './reservation.ts'

const heldByUser = store('held-by-user', new Map<number, number>())
const heldByToken = store('held-by-token', new Map<number, number>())

export const inMemory: ReservationStore = {
  durable: false,
  hold(reservation, decide) {
    reservation.quota = decideQuota(fundsOf(reservation), reservation, decide)
    add(reservation, reservation.quota)
  },
  async extend(reservation, more) {
    checkFunds(fundsOf(reservation), reservation, reservation.quota + more, reservation.quota)
    add(reservation, more)
    // In the same tick: the call may end before the caller of this function continues.
    reservation.quota += more
  },
  *free() {},
  forget(ended) {
    for (const reservation of ended) add(reservation, -reservation.quota)
  },
}

/** Read in the tick that decides: during an await, another call could settle and change both sums. */
function fundsOf({ user_id, token_id }: Reservation): Funds {
  return {
    ...owned(user_id, token_id),
    held: heldByUser.get(user_id) ?? 0,
    held_of_token: heldByToken.get(token_id) ?? 0,
  }
}

/** Cached between commits, since many calls start meanwhile. */
const owned = cacheUntilWrite((user_id: number, token_id: number) => {
  const [row] = rowsNow(balances(db, { user_id, token_id }))
  return { active: row?.active ?? false, balance: row?.balance ?? 0, remain: row?.remain ?? 0 }
})

const balances = prepared(db =>
  db
    .select({ active: isActive, balance: users.quota, remain: tokens.remain_quota })
    .from(users)
    .leftJoin(tokens, eq(tokens.id, sql.placeholder('token_id')))
    .where(eq(users.id, sql.placeholder('user_id'))),
)

function add({ user_id, token_id }: Reservation, quota: number) {
  change(heldByUser, user_id, quota)
  if (token_id) change(heldByToken, token_id, quota)
}

function change(sums: Map<number, number>, id: number, quota: number) {
  const sum = (sums.get(id) ?? 0) + quota
  if (sum) sums.set(id, sum)
  else sums.delete(id)
}
