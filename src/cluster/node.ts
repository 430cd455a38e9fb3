/** This process as a node: its id, and its heartbeat beside the other processes on the same PostgreSQL database. */
import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { randomKey } from '../crypto/random-id.ts'
import { rawQuery, run } from '../db/atomic.ts'
import { db, type Tx } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { count } from '../db/fragments.ts'
import { onReset } from '../process/stores.ts'
import { nodes } from './table.ts'

/** Id of this process in every row that a node owns. */
export const NODE_ID = randomKey(16)
/** A node without a heartbeat for this long is dead, and its leases are free. */
export const LEASE_SECONDS = 60
export const HEARTBEAT_SECONDS = 10

/** The clock that all nodes share. SQLite has one process, which needs none. */
export const databaseTime =
  dialect === 'sqlite' ? sql<number>`0` : sql<number>`cast(extract(epoch from now()) as bigint)`
/** A heartbeat or renewal before this moment is too old. */
export const leaseStart = sql`${databaseTime} - ${LEASE_SECONDS}`

let joined: Promise<void> | undefined
onReset('node', () => {
  joined = undefined
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
  await db
    .insert(nodes)
    .values({ id: NODE_ID, seen_time: databaseTime })
    .onConflictDoUpdate({ target: nodes.id, set: { seen_time: databaseTime } })
}

/** Deletes nodes whose heartbeat is too old. */
export async function removeDeadNodes() {
  await db.delete(nodes).where(lt(nodes.seen_time, leaseStart))
}

/** How many nodes are alive, this one included. */
export async function countNodes(): Promise<number> {
  const [row] = await db.select({ total: count() }).from(nodes).where(gte(nodes.seen_time, leaseStart))
  return Math.max(row!.total, 1)
}

/** Whether the process with this id still runs. SQLite has one process: any other has ended. */
export async function isNodeAlive(id: string): Promise<boolean> {
  if (id === NODE_ID || dialect === 'sqlite') return id === NODE_ID
  const found = await db
    .select({ id: nodes.id })
    .from(nodes)
    .where(and(eq(nodes.id, id), gte(nodes.seen_time, leaseStart)))
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
  const [running] = yield* run(tx.select({ id: nodes.id }).from(nodes).where(gte(nodes.seen_time, leaseStart)))
  return running !== undefined
}

/** Subquery of the ids of all registered nodes. */
export const nodeIds = () => db.select({ id: nodes.id }).from(nodes)

export async function leave() {
  await db.delete(nodes).where(eq(nodes.id, NODE_ID))
}
