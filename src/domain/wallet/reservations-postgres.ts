/** PostgreSQL, many nodes: reservations are rows, inserted under a lock of the user's row, swept with their dead node. */
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { databaseTime, NODE_ID, stayJoined } from '../../cluster/node.ts'
import { atomic, rawQuery, run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { repeatIfLost } from '../../db/repeat.ts'
import { tokens } from '../tokens/table.ts'
import { users } from '../users/table.ts'
import { checkFunds, decideQuota, isActive, type Reservation, type ReservationStore } from './reservation.ts'
import { reservations } from './table.ts'

export const inRows: ReservationStore = {
  durable: true,
  hold: (reservation, decide) =>
    repeatIfLost(isFirst =>
      atomic(function* (tx) {
        yield* stayJoined(tx)
        const funds = yield* lockFunds(tx, reservation)
        const held = isFirst ? undefined : yield* heldBy(tx, reservation)
        reservation.quota = held ?? decideQuota(funds, reservation, decide)
        if (held === undefined) yield* run(keep(tx, rowOf(reservation, reservation.quota)))
      }),
    ),
  /** Takes all anew where another node took this one for dead and freed what the call held. */
  async extend(reservation, more) {
    const quota = reservation.quota + more
    await repeatIfLost(() =>
      atomic(function* (tx) {
        yield* stayJoined(tx)
        const funds = yield* lockFunds(tx, reservation)
        checkFunds(funds, reservation, quota, yield* heldBy(tx, reservation))
        yield* run(keep(tx, rowOf(reservation, quota)))
      }),
    )
    reservation.quota = quota
  },
  *free(tx, ended) {
    const ids = ended.map(reservation => reservation.request_id)
    yield* run(tx.delete(reservations).where(inArray(reservations.request_id, ids)))
  },
  keepThrough: () => () => {},
  forget() {},
}

/** The lock is a statement of its own: the read after it sees everything that the last holder committed. */
function* lockFunds(tx: Tx, { user_id, token_id }: Reservation) {
  yield* run(rawQuery(tx, sql`select 1 from ${users} where ${users.id} = ${user_id} for no key update`))
  const [funds] = yield* run(fundsOf(tx, { user_id, token_id }))
  return funds ?? { active: false, balance: 0, remain: 0, held: 0, held_of_token: 0 }
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

/** @returns undefined where it holds nothing */
function* heldBy(tx: Tx, { request_id }: Reservation) {
  const own = eq(reservations.request_id, request_id)
  const [row] = yield* run(tx.select({ quota: reservations.quota }).from(reservations).where(own))
  return row?.quota
}

const rowOf = ({ request_id, user_id, token_id }: Reservation, quota: number) => ({
  ...{ request_id, user_id, token_id, quota },
  node: NODE_ID,
})

const keep = prepared(db => {
  return db
    .insert(reservations)
    .values({
      request_id: sql.placeholder('request_id'),
      user_id: sql.placeholder('user_id'),
      token_id: sql.placeholder('token_id'),
      quota: sql.placeholder('quota'),
      node: sql.placeholder('node'),
      created_time: databaseTime,
    })
    .onConflictDoUpdate({ target: reservations.request_id, set: { quota: sql`excluded.quota` } })
})
