/** The processes that share a PostgreSQL database, by their last sign of life; and what the dead ones leave behind. */
import { and, eq, inArray, lt, notInArray, sql } from 'drizzle-orm'
import { randomKey } from '../crypto/random-id.ts'
import { db } from '../db/database.ts'
import { nodes, reservations } from '../domain/wallet/index.ts'
import { log } from '../process/log.ts'

/** A node that has given no sign of life for so long is gone. */
const LEASE_SECONDS = 60

/** This process. */
export const node = randomKey(16)
/** The database's own clock, which all nodes share. */
export const databaseTime = sql<number>`cast(extract(epoch from now()) as bigint)`
const leaseStart = sql`${databaseTime} - ${LEASE_SECONDS}`
const id = { request_id: reservations.request_id }

let arrival: Promise<void> | undefined

/** A node is known before it reserves anything: what an unknown one had reserved would be swept. */
export async function join() {
  arrival ??= heartbeat()
  try {
    await arrival
  } catch (error) {
    arrival = undefined
    throw error
  }
}

export async function heartbeat() {
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

/** Frees rows that no call of this node knows of: they were committed, but the connection broke before it said so. */
export async function sweepOwn(isKnown: (request_id: string) => boolean) {
  const old = and(eq(reservations.node, node), lt(reservations.created_time, leaseStart))
  const rows = await db.select(id).from(reservations).where(old)
  const unknown = rows.map(row => row.request_id).filter(request_id => !isKnown(request_id))
  if (unknown.length) await db.delete(reservations).where(inArray(reservations.request_id, unknown))
}

/** This node's orderly end. */
export async function leave() {
  await db.delete(nodes).where(eq(nodes.id, node))
  await sweepDeadNodes()
}
