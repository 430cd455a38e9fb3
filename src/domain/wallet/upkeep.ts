/** What keeps the books in order while the process runs. */
import { inArray, lt } from 'drizzle-orm'
import { heartbeat, leave, sweepDeadNodes, sweepOwn } from '../../cluster/node.ts'
import { db } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { allCommitted, uncommitted } from './queue.ts'
import { open, reservations } from './reservations.ts'
import { settlements } from './table.ts'

/** No attempt to settle a call comes later than this. */
const SETTLED_KEPT_SECONDS = 86_400
const PRUNE_BATCH = 1000
const PRUNE_EVERY_MS = 3_600_000
const SIGN_EVERY_MS = 10_000
/** How long the end of the process waits for bills that the database does not take. */
const LAST_BOOKING_MS = 10_000

const timers: Timer[] = []

export async function startWallet() {
  timers.push(setInterval(() => attempt(pruneSettlements), PRUNE_EVERY_MS).unref())
  void attempt(pruneSettlements)
  if (!reservations.durable) return
  await stayAlive()
  timers.push(setInterval(() => attempt(stayAlive), SIGN_EVERY_MS).unref())
}

/** After the last call: books what waits, and leaves no reservation behind. */
export async function stopWallet() {
  timers.splice(0).forEach(clearInterval)
  await Promise.race([allCommitted(), Bun.sleep(LAST_BOOKING_MS)])
  for (const { request_id, user_id, bill } of uncommitted()) {
    log.error('the database did not take the end of a call', { request_id, user_id, quota: bill?.quota })
  }
  if (reservations.durable) await attempt(leave)
}

async function stayAlive() {
  await heartbeat()
  await sweepDeadNodes()
  await sweepOwn(request_id => open.has(request_id))
}

/** In small batches, since each one holds SQLite's only writer. */
async function pruneSettlements() {
  const old = lt(settlements.created_time, now() - SETTLED_KEPT_SECONDS)
  for (;;) {
    const ids = db.select({ id: settlements.request_id }).from(settlements).where(old).limit(PRUNE_BATCH)
    const gone = await db
      .delete(settlements)
      .where(inArray(settlements.request_id, ids))
      .returning({ id: settlements.request_id })
    if (gone.length < PRUNE_BATCH) return
    await Bun.sleep(1)
  }
}

/** The next round makes good what this one could not. */
async function attempt(work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    log.warn('upkeep of the books failed', { reason: reason(error) })
  }
}
