/**
 * Retention: of old tasks what they were asked and what they have made goes first, then their rows. The row of a refund
 * stays, emptied: the ledger refers to it.
 */
import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import { FINAL_STATUSES, isFinal } from '../../contracts/task.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import { now_ms } from '../../process/clock.ts'
import { option } from '../options/index.ts'
import { taskHooks, tasks } from './table.ts'

const DAY_MS = 86_400_000
const BATCH_ROWS = 500
/** Calls go on between two batches. */
const PAUSE_MS = 10

/** Tasks that have not ended are left as they are, however old. */
export async function pruneTasks(signal: AbortSignal) {
  const [data_days, days] = [option('TaskDataRetentionDays'), option('TaskRetentionDays')]
  if (days) await inBatches(days, signal, deleteTasks)
  if (data_days) await inBatches(data_days, signal, emptyTasks)
}

type OldTask = Awaited<ReturnType<typeof batchAfter>>[number]

async function inBatches(days: number, signal: AbortSignal, prune: (ended: OldTask[]) => Promise<void>) {
  const before_ms = now_ms() - days * DAY_MS
  let last = 0
  while (!signal.aborted) {
    const batch = await batchAfter(last)
    const old = batch.filter(task => task.submit_ms < before_ms)
    await prune(old.filter(task => isFinal(task.status)))
    // Ids follow the order of the submits.
    if (old.length < BATCH_ROWS) return
    last = batch.at(-1)!.id
    await Bun.sleep(PAUSE_MS)
  }
}

const has_data =
  sql`(${tasks.answer} is not null or ${tasks.result} is not null or cast(${tasks.input} as text) <> '{}')`.mapWith(
    Boolean,
  )

function batchAfter(last: number) {
  const { id, submit_ms, status, refunded } = tasks
  return db
    .select({ id, submit_ms, status, refunded, has_data })
    .from(tasks)
    .where(gt(id, last))
    .orderBy(asc(id))
    .limit(BATCH_ROWS)
}

const idsOf = (some: OldTask[]) => some.map(({ id }) => id)
const areEnded = (ids: number[]) => and(inArray(tasks.id, ids), inArray(tasks.status, [...FINAL_STATUSES]))

async function deleteTasks(ended: OldTask[]) {
  const ids = idsOf(ended.filter(({ refunded }) => !refunded))
  await emptyTasks(ended.filter(({ refunded }) => refunded))
  if (!ids.length) return
  await atomic(function* (tx) {
    yield* run(tx.delete(taskHooks).where(inArray(taskHooks.task, ids)))
    yield* run(tx.delete(tasks).where(and(areEnded(ids), eq(tasks.refunded, 0))))
  })
}

async function emptyTasks(ended: OldTask[]) {
  const ids = idsOf(ended.filter(task => task.has_data))
  if (ids.length) await db.update(tasks).set({ input: {}, answer: null, result: null }).where(areEnded(ids))
}
