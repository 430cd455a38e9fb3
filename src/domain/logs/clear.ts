/**
 * Clears the usage log in small transactions with pauses, so that no call waits for them. No money is in it: the ledger
 * and the hourly usage stay.
 */
import { and, eq, gte, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { startJobNext } from '../../cluster/leases.ts'
import type { Actor } from '../../contracts/actor.ts'
import type { LogClearing } from '../../contracts/log.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db, inSmallCheckpoints } from '../../db/database.ts'
import { now, now_ms } from '../../process/clock.ts'
import { recordChange } from '../audit-log/index.ts'
import { option } from '../options/index.ts'
import { countBefore } from './search.ts'
import { CLEARING_ID, callRecords, logClearings, logs } from './table.ts'

/** Name of the job that deletes entries. */
export const CLEAR_LOGS = 'clear-logs'

const DAY_SECONDS = 86_400

/**
 * Deletes entries older than a moment (unix seconds), in the background on one node.
 * @throws Refusal `log.clearing_runs` while another clearing runs
 */
export async function startClearing(before: number, actor: Actor): Promise<LogClearing> {
  const total = await countBefore(before)
  const started = await atomic(function* (tx) {
    const clearing = { before, total, deleted: 0, started_time: now(), ended_time: null }
    const [row] = yield* run(
      tx
        .insert(logClearings)
        .values({ id: CLEARING_ID, ...clearing })
        .onConflictDoUpdate({ target: logClearings.id, set: clearing, setWhere: isNotNull(logClearings.ended_time) })
        .returning(),
    )
    if (!row) throw new Refusal('log.clearing_runs')
    const after = { before, entries: total }
    yield* recordChange(tx, actor, { action: 'log.clear', target: { kind: 'log', id: '' }, after })
    return row
  })
  // Where another node has the lease, the job's next round takes the clearing up.
  await startJobNext(CLEAR_LOGS, clearLogs)
  return started
}

/** @returns undefined before the first one */
export async function lastClearing(): Promise<LogClearing | undefined> {
  const [row] = await db.select().from(logClearings).where(eq(logClearings.id, CLEARING_ID))
  return row
}

const POLL_MS = 20

/** Waits until no clearing runs, at most for `timeout_ms`. */
export async function clearingEnded(timeout_ms: number) {
  const start = now_ms()
  while ((await lastClearing())?.ended_time === null && now_ms() - start < timeout_ms) await Bun.sleep(POLL_MS)
}

/** Goes on with the clearing that was started or interrupted; then deletes what is older than its option keeps it. */
export const clearLogs = (signal: AbortSignal): Promise<void> => inSmallCheckpoints(() => clear(signal))

async function clear(signal: AbortSignal) {
  const clearing = await lastClearing()
  if (clearing?.ended_time === null) {
    await deleteBefore(deleteBatch, clearing.before, signal)
    if (!signal.aborted) await db.update(logClearings).set({ ended_time: now() }).where(isNull(logClearings.ended_time))
  }
  const days = option('LogRetentionDays')
  if (days) await deleteBefore(deleteBatch, now() - days * DAY_SECONDS, signal)
  await deleteBefore(deleteRecords, now() - option('CallRecordDays') * DAY_SECONDS, signal)
}

const FIRST_BATCH_ROWS = 200
const BATCH_ROWS_MAX = 5000
/** A batch grows and shrinks towards this time: on SQLite every call waits for it. */
const BATCH_MS = 8
/** Share of the time that is left to calls: a pause is so many times as long as the batch before it. */
const PAUSE_RATIO = 1.5

/** Deletes the oldest rows of a span. @returns their moments */
type DeleteBatch = (from: number, before: number, rows: number) => Promise<number[]>

async function deleteBefore(deleteBatch: DeleteBatch, before: number, signal: AbortSignal) {
  // Each batch starts behind the last one: PostgreSQL's index holds deleted entries until it is vacuumed.
  let from = 0
  for (let rows = FIRST_BATCH_ROWS; !signal.aborted; ) {
    const start = performance.now()
    const moments = await deleteBatch(from, before, rows)
    if (moments.length < rows) return
    from = moments.reduce((latest, moment) => Math.max(latest, moment))
    const took_ms = performance.now() - start
    rows = Math.min(BATCH_ROWS_MAX, Math.max(1, Math.round(rows * Math.min(2, BATCH_MS / took_ms))))
    await Bun.sleep(took_ms * PAUSE_RATIO)
  }
}

const deleteRecords: DeleteBatch = (from, before, rows) =>
  atomic(function* (tx) {
    const isOld = and(gte(callRecords.created_at, from), lt(callRecords.created_at, before))
    const oldest = tx
      .select({ request_id: callRecords.request_id })
      .from(callRecords)
      .where(isOld)
      .orderBy(callRecords.created_at)
      .limit(rows)
    const deleted = yield* run(
      tx
        .delete(callRecords)
        .where(inArray(callRecords.request_id, oldest))
        .returning({ created_at: callRecords.created_at }),
    )
    return deleted.map(({ created_at }) => created_at)
  })

/** Deletes entries, which the clearing that runs counts. */
const deleteBatch: DeleteBatch = (from, before, rows) =>
  atomic(function* (tx) {
    const isOld = and(gte(logs.created_at, from), lt(logs.created_at, before))
    const oldest = tx.select({ id: logs.id }).from(logs).where(isOld).orderBy(logs.created_at).limit(rows)
    const deleted = yield* run(
      tx.delete(logs).where(inArray(logs.id, oldest)).returning({ created_at: logs.created_at }),
    )
    const counted = { deleted: sql`${logClearings.deleted} + ${deleted.length}` }
    yield* run(
      tx
        .update(logClearings)
        .set(counted)
        .where(and(eq(logClearings.before, before), isNull(logClearings.ended_time))),
    )
    return deleted.map(({ created_at }) => created_at)
  })
