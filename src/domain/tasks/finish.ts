/** The end of a task: a final state is reached once, and with failure goes the refund of all that was charged. */
import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { progressOf, SETTLED_STATUSES, statusesUpTo, type TaskState } from '../../contracts/task.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { now_ms } from '../../process/clock.ts'
import type { Json } from '../../pure/json.ts'
import { queueHook } from './hooks.ts'
import { endState, whenEnded } from './keep-results.ts'
import { giveBack, settleReport } from './settle-report.ts'
import { tasks } from './table.ts'

export const unfinished = notInArray(tasks.status, [...SETTLED_STATUSES])
/** No upstream has accepted it. */
export const isUnaccepted = and(eq(tasks.status, 'NOT_START'), eq(tasks.upstream_id, ''))
export const isOpen = (id: number) => and(eq(tasks.id, id), unfinished)

/** Ends a task, or has its files copied first, and settles what it has taken. @returns whether this was the transition, and not another one before */
export const succeed = (id: number, state: TaskState): Promise<boolean> => atomic(tx => succeedIn(tx, id, state))

function* succeedIn(tx: Tx, id: number, { start_ms, finish_ms, result, report }: TaskState) {
  const [task] = yield* run(
    tx
      .update(tasks)
      .set({
        ...{ ...endState(), start_ms, finish_ms: finish_ms || now_ms(), result },
        ...{ maker_cost_usd: report?.cost_usd, ...atRest },
      })
      .where(isOpen(id))
      .returning(),
  )
  if (!task) return false
  if (report) yield* settleReport(tx, task, report)
  yield* whenEnded(tx, task)
  return true
}

const atRest = { next_look_ms: null, times_missing: 0 }

interface Failure extends Partial<Pick<TaskState, 'start_ms' | 'finish_ms' | 'result' | 'report'>> {
  fail_reason: string
  /** Of an upstream that has refused it. */
  answer?: Json
  /** The upstream may have accepted it. */
  outcome_unknown?: boolean
}

/** Fails a task, and refunds what was charged. @returns whether this was the transition, and not another one before */
export const fail = (id: number, failure: Failure): Promise<boolean> => atomic(tx => failIn(tx, id, failure))

/** Of a task whose call was lost: one that is accepted meanwhile goes on. */
export const failUnaccepted = (id: number, failure: Failure): Promise<boolean> =>
  atomic(tx => failIn(tx, id, failure, and(eq(tasks.id, id), isUnaccepted)))

export function* failIn(
  tx: Tx,
  id: number,
  { fail_reason, finish_ms, report, ...failure }: Failure,
  condition = isOpen(id),
) {
  const maker_cost_usd = report?.cost_usd
  const ended = {
    status: 'FAILURE' as const,
    maker_cost_usd,
    progress: 100,
    fail_reason,
    finish_ms: finish_ms || now_ms(),
    ...atRest,
  }
  const [task] = yield* run(
    tx
      .update(tasks)
      .set({ ...failure, ...ended, refunded: sql`${tasks.charged}` })
      .where(condition)
      .returning(),
  )
  if (!task) return false
  if (task.charged) yield* giveBack(tx, task, task.charged, 'log.task_refunded')
  if (task.upstream_id) yield* queueHook(tx, task)
  return true
}

/** Notes how far a task is; it never goes back. @returns whether it was so far at most */
export async function progress(id: number, state: TaskState, next_look_ms: number): Promise<boolean> {
  const { status, start_ms, result } = state
  const percent = Math.min(state.progress ?? progressOf[status], 99)
  const moved = await db
    .update(tasks)
    .set({ status, progress: percent, start_ms, result, next_look_ms, times_missing: 0 })
    .where(and(eq(tasks.id, id), inArray(tasks.status, statusesUpTo(status))))
    .returning({ id: tasks.id })
  return moved.length > 0
}
