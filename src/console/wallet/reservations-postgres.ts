/** Many nodes: open reservations are rows, taken under a lock of the user's row and swept when their node is gone. */
import { and, eq, inArray, lt, notInArray, type SQL, sql } from 'drizzle-orm'
import { atomic, plain, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { statement } from '../../db/statement.ts'
import { randomKey } from '../../kit/keys.ts'
import { log } from '../../kit/log.ts'
import { tokens } from '../tokens/table.ts'
import { users } from '../users/table.ts'
import { type Reservation, type Reservations, shortage } from './reservation.ts'
import { nodes, reservations } from './table.ts'

/** A node that has given no sign of life for so long is gone. */
const LEASE_SECONDS = 60

const node = randomKey(16)
/** The database's own clock, which all nodes share. */
const databaseTime = sql<number>`cast(extract(epoch from now()) as bigint)`
const leaseStart = sql`${databaseTime} - ${LEASE_SECONDS}`

export const inRows: Reservations = {
  durable: true,
  async hold(ask) {
    await signedOn()
    await atomic(function* (tx) {
      const short = shortage(yield* lockFunds(tx, ask), ask, ask.quota)
      if (short) throw short
      const { request_id, user_id, token_id, quota } = ask
      yield* run(insert(tx, { request_id, user_id, token_id, quota, node }))
    })
  },
  widen: (reservation, more) =>
    atomic(function* (tx) {
      if (shortage(yield* lockFunds(tx, reservation), reservation, more)) return false
      const grown = yield* run(
        tx
          .update(reservations)
          .set({ quota: sql`${reservations.quota} + ${more}` })
          .where(eq(reservations.request_id, reservation.request_id))
          .returning({ quota: reservations.quota }),
      )
      return grown.length > 0
    }),
  *free(tx, ended) {
    const ids = ended.map(reservation => reservation.request_id)
    yield* run(tx.delete(reservations).where(inArray(reservations.request_id, ids)))
  },
  forget() {},
}

/** The lock is its own statement: what is read after it was got includes all that its last holder wrote. */
function* lockFunds(tx: Tx, { user_id, token_id }: Reservation) {
  yield* run(plain(tx, sql`select 1 from ${users} where ${users.id} = ${user_id} for no key update`))
  const [funds] = yield* run(fundsOf(tx, { user_id, token_id }))
  return funds ?? { balance: 0, remain: 0, held: 0, held_of_token: 0 }
}

const heldWhere = (condition: SQL) =>
  sql<number>`(select coalesce(sum(${reservations.quota}), 0) from ${reservations} where ${condition})`

const fundsOf = statement(db =>
  db
    .select({
      balance: users.quota,
      remain: sql<number>`coalesce(${tokens.remain_quota}, 0)`.mapWith(Number),
      held: heldWhere(eq(reservations.user_id, users.id)).mapWith(Number),
      held_of_token: heldWhere(eq(reservations.token_id, sql.placeholder('token_id'))).mapWith(Number),
    })
    .from(users)
    .leftJoin(tokens, eq(tokens.id, sql.placeholder('token_id')))
    .where(eq(users.id, sql.placeholder('user_id'))),
)

const insert = statement(db =>
  db.insert(reservations).values({
    request_id: sql.placeholder('request_id'),
    user_id: sql.placeholder('user_id'),
    token_id: sql.placeholder('token_id'),
    quota: sql.placeholder('quota'),
    node: sql.placeholder('node'),
    created_time: databaseTime,
  }),
)

let arrival: Promise<void> | undefined

/** A reservation of an unknown node would be swept: a node is known before it makes its first. */
const signedOn = () => (arrival ??= giveSignOfLife())

export async function giveSignOfLife() {
  await db
    .insert(nodes)
    .values({ id: node, seen_time: databaseTime })
    .onConflictDoUpdate({ target: nodes.id, set: { seen_time: databaseTime } })
}

/** Frees what dead nodes had reserved; their calls ended with them. */
export async function sweepDeadNodes() {
  await db.delete(nodes).where(lt(nodes.seen_time, leaseStart))
  const alive = db.select({ id: nodes.id }).from(nodes)
  const swept = await db.delete(reservations).where(notInArray(reservations.node, alive)).returning(id)
  if (swept.length) log.warn('freed the reservations of a node that is gone', { count: swept.length })
}

/** Frees rows that no call of this node knows of: their making was committed, but the connection broke before it said so. */
export async function sweepOwn(isKnown: (request_id: string) => boolean) {
  const old = and(eq(reservations.node, node), lt(reservations.created_time, leaseStart))
  const rows = await db.select(id).from(reservations).where(old)
  const unknown = rows.map(row => row.request_id).filter(request_id => !isKnown(request_id))
  if (unknown.length) await db.delete(reservations).where(inArray(reservations.request_id, unknown))
}

const id = { request_id: reservations.request_id }

/** This node's orderly end. */
export async function signOff() {
  await db.delete(nodes).where(eq(nodes.id, node))
  await sweepDeadNodes()
}
