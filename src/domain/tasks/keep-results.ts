/**
 * Copies of results: makers delete theirs after hours or days. A task is shown as finished once its files are copied,
 * or once that has failed too often; no money depends on it.
 */
import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import { isFinal, type KeptFile, progressOf, type TaskStatus } from '../../contracts/task.ts'
import { atomic, onCommit, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { env } from '../../env.ts'
import { now_ms } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { semaphore } from '../../process/semaphore.ts'
import { deadline } from '../../process/shutdown.ts'
import { option } from '../options/index.ts'
import { copyFile } from './copy-file.ts'
import { filesOf } from './file-address.ts'
import { queueHook } from './hooks.ts'
import { deleteResult } from './results-store.ts'
import { type TaskRow, tasks } from './table.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

export const keepsResults = (): boolean => option('TaskKeepResults') > 0 && env.RESULTS_URL !== undefined

/** Columns of a task in this state, which no file is copied of. */
export const stateAt = (status: TaskStatus) => ({
  ...{ status, progress: progressOf[status] },
  ...(isFinal(status) ? { finish_ms: now_ms() } : { next_look_ms: now_ms() }),
})

/** Columns of a task that its upstream has finished. */
export const endState = () =>
  keepsResults()
    ? { status: 'SAVING' as const, progress: progressOf.SAVING, next_save_ms: now_ms() }
    : { status: 'SUCCESS' as const, progress: progressOf.SUCCESS }

/** What follows in the transaction that has written `endState`. */
export function* whenEnded(tx: Tx, task: Pick<TaskRow, 'id' | 'hook' | 'status'>) {
  if (isFinal(task.status)) yield* queueHook(tx, task)
  else if (task.status === 'SAVING') onCommit(tx, () => void saveResults())
}

const TRIES_MAX = 5
const FIRST_PAUSE_MS = 30_000
/** Longer than the files of a task take: after that the node of the claim has died. */
const CLAIM_MS = 30 * MINUTE_MS
/** Tasks whose files this node copies at a time. */
const SAVERS_MAX = 4
const savers = semaphore(SAVERS_MAX)

/** Copies what is due until nothing is. Any number of calls and nodes share the work. */
export async function saveResults(signal: AbortSignal = deadline) {
  await Promise.all(Array.from({ length: SAVERS_MAX }, () => saveAll(signal)))
}

async function saveAll(signal: AbortSignal) {
  try {
    while (!signal.aborted && (await savers(() => saveNext(signal))));
  } catch (error) {
    log.warn('results not kept', { reason: reason(error) })
  }
}

/** @returns whether there was one */
async function saveNext(signal: AbortSignal): Promise<boolean> {
  const task = await claim()
  if (!task) return false
  const { kept, has_failed } = await copiesOf(task, signal)
  const isOver = !has_failed || (task.save_tries >= TRIES_MAX && !signal.aborted)
  await (isOver ? finish(task, kept) : tryLater(task))
  return true
}

async function claim(): Promise<TaskRow | undefined> {
  const isDue = lte(tasks.next_save_ms, now_ms())
  const [next] = await db.select({ id: tasks.id }).from(tasks).where(isDue).orderBy(asc(tasks.next_save_ms)).limit(1)
  if (!next) return undefined
  const [task] = await db
    .update(tasks)
    .set({ next_save_ms: now_ms() + CLAIM_MS, save_tries: sql`${tasks.save_tries} + 1` })
    .where(and(eq(tasks.id, next.id), isDue))
    .returning()
  // Another node was faster: what is next, it takes as well.
  return task
}

async function copiesOf(task: TaskRow, signal: AbortSignal) {
  const kept: KeptFile[] = []
  let has_failed = false
  for (const file of filesOf(task)) {
    try {
      kept.push(await copyFile(task, file, signal))
    } catch (error) {
      has_failed = true
      log.warn('file of a task not kept', { task_id: task.task_id, file: file.name, reason: reason(error) })
    }
  }
  return { kept, has_failed }
}

const finish = ({ id }: TaskRow, kept: KeptFile[]) =>
  atomic(function* (tx) {
    const copies = kept.length ? { kept, kept_until_ms: now_ms() + option('TaskKeepResults') * DAY_MS } : {}
    const [task] = yield* run(
      tx
        .update(tasks)
        .set({ ...copies, status: 'SUCCESS', progress: progressOf.SUCCESS, next_save_ms: null })
        .where(and(eq(tasks.id, id), eq(tasks.status, 'SAVING')))
        .returning({ id: tasks.id, hook: tasks.hook }),
    )
    if (task) yield* queueHook(tx, task)
  })

/** Unless the claim was over, and another node has the task. */
const tryLater = ({ id, save_tries }: TaskRow) =>
  db
    .update(tasks)
    .set({ next_save_ms: now_ms() + FIRST_PAUSE_MS * 2 ** (save_tries - 1) })
    .where(and(eq(tasks.id, id), eq(tasks.status, 'SAVING'), eq(tasks.save_tries, save_tries)))

const EXPIRED_MAX = 200

/** Deletes copies whose days are over. */
export async function expireResults(signal: AbortSignal) {
  const isOver = lte(tasks.kept_until_ms, now_ms())
  for (;;) {
    const expired = await db
      .select({ id: tasks.id, kept: tasks.kept })
      .from(tasks)
      .where(isOver)
      .orderBy(asc(tasks.kept_until_ms))
      .limit(EXPIRED_MAX)
    if (!expired.length || signal.aborted) return
    for (const { kept } of expired) for (const { key } of kept ?? []) await deleteResult(key)
    const ids = expired.map(({ id }) => id)
    await db.update(tasks).set({ kept: null, kept_until_ms: null }).where(inArray(tasks.id, ids))
  }
}
