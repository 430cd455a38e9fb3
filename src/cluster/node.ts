/** This process as a node: its id, and its heartbeat beside the other processes on the same PostgreSQL database. */
import { and, eq, gt, gte, lt, sql } from 'drizzle-orm'
import { randomKey } from '../crypto/random-id.ts'
import { rawQuery, run } from '../db/atomic.ts'
import { db, type Tx } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { count } from '../db/fragments.ts'
import { log } from '../process/log.ts'
import { onReset } from '../process/stores.ts'
import { nodes } from './table.ts'

/** Id of this process in every row that a node owns. */
export const NODE_ID = randomKey(16)
/** A node without a heartbeat for this long is dead, and its leases are free. */
export const LEASE_SECONDS = 20
export const HEARTBEAT_SECONDS = 5
/** Heartbeats are missed after this. */
const MISSED_SECONDS = 10
/** And for so long before a node is dead: after an outage of the database, each node signs again before another one ends it. */
const DOUBT_SECONDS = 8
/** A rotation of the secret key waits for nodes that signed within this. */
const ROTATION_SECONDS = 60

/** The clock that all nodes share. SQLite has one process, which needs none. */
export const databaseTime =
  dialect === 'sqlite' ? sql<number>`0` : sql<number>`cast(extract(epoch from now()) as bigint)`
const ago = (seconds: number) => sql`${databaseTime} - ${seconds}`
/** A heartbeat or renewal before this moment is too old. */
export const leaseStart = ago(LEASE_SECONDS)

let joined: Promise<void> | undefined
let hasSigned = false
onReset('node', () => {
  joined = undefined
  hasSigned = false
})

/** Registers this node once, before it owns any row: rows of unknown nodes are swept. */
export async function join() {
  joined ??= heartbeat()
  try {
    await joined
  } catch (error) {
    joined = undefined
    throw error
  }
}

export async function heartbeat() {
  const signed = { seen_time: databaseTime, missed_time: 0 }
  const known = await db.update(nodes).set(signed).where(eq(nodes.id, NODE_ID)).returning({ id: nodes.id })
  if (known.length) return
  if (hasSigned) log.warn('this node was silent for too long: others freed what it held, and it joins again')
  await db.insert(nodes).values({ id: NODE_ID, seen_time: databaseTime }).onConflictDoNothing()
  hasSigned = true
}

/** No other node takes this one for dead before the end of the transaction, in which it owns a row. After a pause it joins again. */
export function* stayJoined(tx: Tx) {
  const found = yield* run(rawQuery(tx, sql`select 1 from ${nodes} where ${nodes.id} = ${NODE_ID} for key share`))
  if (found.length) return
  yield* run(tx.insert(nodes).values({ id: NODE_ID, seen_time: databaseTime }).onConflictDoNothing())
  hasSigned = true
}

/** Deletes nodes whose heartbeat has been missed for long enough, and begins to miss others. */
export async function removeDeadNodes() {
  const isDead = and(
    lt(nodes.seen_time, leaseStart),
    gt(nodes.missed_time, 0),
    lt(nodes.missed_time, ago(DOUBT_SECONDS)),
  )
  await db.delete(nodes).where(isDead)
  const isSilent = and(lt(nodes.seen_time, ago(MISSED_SECONDS)), eq(nodes.missed_time, 0))
  await db.update(nodes).set({ missed_time: databaseTime }).where(isSilent)
}

/** How many nodes are alive, this one included. */
export async function countNodes(): Promise<number> {
  const [row] = await db.select({ total: count() }).from(nodes).where(gte(nodes.seen_time, leaseStart))
  return Math.max(row!.total, 1)
}

/** Whether the process with this id still runs. SQLite has one process: any other has ended. */
export async function isNodeAlive(id: string): Promise<boolean> {
  if (id === NODE_ID || dialect === 'sqlite') return id === NODE_ID
  // A silent one is alive until it is removed: the database may have been away.
  const found = await db.select({ id: nodes.id }).from(nodes).where(eq(nodes.id, id))
  return found.length > 0
}

/**
 * PostgreSQL: a node that starts waits with its first heartbeat for the end of the transaction, whose commit is on the
 * disk before it ends.
 * @returns whether a node runs already
 */
export function* keepNodesAway(tx: Tx) {
  yield* run(rawQuery(tx, sql`set local synchronous_commit = on`))
  yield* run(rawQuery(tx, sql`lock table ${nodes} in share row exclusive mode`))
  const [running] = yield* run(
    tx
      .select({ id: nodes.id })
      .from(nodes)
      .where(gte(nodes.seen_time, ago(ROTATION_SECONDS))),
  )
  return running !== undefined
}

/** Subquery of the ids of all registered nodes. */
export const nodeIds = () => db.select({ id: nodes.id }).from(nodes)

export async function leave() {
  await db.delete(nodes).where(eq(nodes.id, NODE_ID))
}
