/** Keeps settlements and reservations in order while the process runs. */
import { and, eq, inArray, lt, notExists, notInArray } from 'drizzle-orm'
import { heartbeat, leaseStart, leave, NODE_ID, nodeIds, removeDeadNodes } from '../../cluster/node.ts'
import { db } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { onShutdown } from '../../process/shutdown.ts'
import { areBudgets, budgetHolds, loadOwners } from '../budgets/index.ts'
import { loadRolledUntil } from '../usage/index.ts'
import { allCommitted, uncommitted } from './queue.ts'
import { open, reservations as store } from './reservations.ts'
import { reservations, settlements } from './table.ts'

/** A call is settled within this time of its first attempt. */
const SETTLEMENT_TTL_SECONDS = 86_400
const BATCH_ROWS = 1000
/** At shutdown, bills that the database does not take are given up after this time. */
const LAST_COMMIT_TIMEOUT_MS = 10_000

/** Puts rows of earlier processes in order before the first call; `books` of the shutdown ends the wallet. */
export async function startWallet() {
  onShutdown('books', stopWallet)
  pruneSettlements().catch(error => log.warn('settlements not pruned', { reason: reason(error) }))
  await loadRolledUntil()
  await loadOwners()
  await keepReservations()
}

/** Commits the waiting bills and frees this node's reservations. */
async function stopWallet() {
  await Promise.race([allCommitted(), Bun.sleep(LAST_COMMIT_TIMEOUT_MS)])
  for (const { request_id, user_id, bill } of uncommitted()) {
    log.error('the database did not take the end of a call', { request_id, user_id, quota: bill?.quota })
  }
  if (!store.durable) return
  await leave()
  await sweepDeadNodes()
}

/** Announces this node, then frees what dead nodes and broken connections left reserved. SQLite has no such rows. */
export async function keepReservations() {
  if (!store.durable) return
  await heartbeat()
  await sweepDeadNodes()
  await sweepOwn()
}

const id = { request_id: reservations.request_id }

/** The calls of a dead node ended with it. */
async function sweepDeadNodes() {
  await removeDeadNodes()
  const swept = await db.delete(reservations).where(notInArray(reservations.node, nodeIds())).returning(id)
  if (swept.length) log.warn('freed the reservations of a dead node', { count: swept.length })
  if (areBudgets()) await sweepHolds()
}

/** What is held of budgets without a reservation. */
const sweepHolds = () =>
  db
    .delete(budgetHolds)
    .where(notExists(db.select().from(reservations).where(eq(reservations.request_id, budgetHolds.request_id))))

/** Frees this node's rows without a running call: the connection broke before the commit was confirmed. */
async function sweepOwn() {
  const old = and(eq(reservations.node, NODE_ID), lt(reservations.created_time, leaseStart))
  const rows = await db.select(id).from(reservations).where(old)
  const unknown = rows.map(row => row.request_id).filter(request_id => !open.has(request_id))
  if (unknown.length) await db.delete(reservations).where(inArray(reservations.request_id, unknown))
}

/** In small batches, since each one holds SQLite's only writer. */
export async function pruneSettlements() {
  const old = lt(settlements.created_time, now() - SETTLEMENT_TTL_SECONDS)
  for (;;) {
    const ids = db.select({ id: settlements.request_id }).from(settlements).where(old).limit(BATCH_ROWS)
    const pruned = await db
      .delete(settlements)
      .where(inArray(settlements.request_id, ids))
      .returning({ id: settlements.request_id })
    if (pruned.length < BATCH_ROWS) return
    await Bun.sleep(1)
  }
}
