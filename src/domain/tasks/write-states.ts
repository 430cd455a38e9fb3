/** Writes what an upstream tells of its tasks: each for itself, so that one strange answer harms one task. */
import { and, eq, inArray } from 'drizzle-orm'
import { progressOf, type TaskState } from '../../contracts/task.ts'
import { db } from '../../db/database.ts'
import { now_ms } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { type RoutedChannel, redacted } from '../routing/index.ts'
import { fail, isOpen, progress, succeed, unfinished } from './finish.ts'
import { type TaskRow, tasks } from './table.ts'

/** What has to be known of a task to see what has changed. */
export type WatchedTask = Pick<
  TaskRow,
  'id' | 'upstream_id' | 'status' | 'progress' | 'start_ms' | 'result' | 'submit_ms' | 'times_missing' | 'deadline_ms'
>

/** Answers in a row that do not know a task, until it counts as gone. */
const MISSING_MAX = 3

export const overdue = ({ deadline_ms }: Pick<TaskRow, 'deadline_ms'>): boolean => deadline_ms <= now_ms()

/** @param states by the upstream's id; those of other tasks than the batch's count for nothing */
export async function writeStates(batch: WatchedTask[], states: Map<string, TaskState>, channel: RoutedChannel) {
  const unchanged: WatchedTask[] = []
  for (const task of batch) {
    try {
      if (!(await writeState(task, states.get(task.upstream_id), channel))) unchanged.push(task)
    } catch (error) {
      log.warn('state of a task not written', { task: task.id, channel: channel.id, reason: reason(error) })
    }
  }
  for (const [pause_ms, some] of Map.groupBy(unchanged, pauseOf)) await postpone(some, pause_ms)
}

/** @returns whether anything of the row has changed */
async function writeState(task: WatchedTask, state: TaskState | undefined, channel: RoutedChannel): Promise<boolean> {
  if (!state) return missed(task)
  if (state.status === 'SUCCESS') return succeed(task.id, state)
  if (state.status === 'FAILURE') {
    const fail_reason = redacted(state.fail_reason.replaceAll('\0', ''), channel) || 'the upstream names no reason'
    const { start_ms, finish_ms, result, report } = state
    return fail(task.id, { fail_reason, start_ms, finish_ms, result, report })
  }
  if (overdue(task)) return fail(task.id, { fail_reason: 'timeout' })
  if (!task.times_missing && !hasChanged(task, state)) return false
  return progress(task.id, state, now_ms() + pauseOf(task))
}

function hasChanged(task: WatchedTask, state: TaskState): boolean {
  if (state.status === 'UNKNOWN') return false
  if (state.status !== task.status || state.start_ms !== task.start_ms) return true
  if ((state.progress ?? progressOf[state.status]) !== task.progress) return true
  return state.result !== undefined && JSON.stringify(state.result) !== JSON.stringify(task.result)
}

async function missed({ id, times_missing, ...task }: WatchedTask): Promise<boolean> {
  const times = times_missing + 1
  if (times >= MISSING_MAX || overdue(task)) {
    return fail(id, { fail_reason: overdue(task) ? 'timeout' : 'the upstream does not know the task any more' })
  }
  // Two rounds at the same time count once.
  const isSame = and(isOpen(id), eq(tasks.times_missing, times_missing))
  await db
    .update(tasks)
    .set({ times_missing: times, next_look_ms: now_ms() + pauseOf(task) })
    .where(isSame)
  return true
}

const MINUTE_MS = 60_000

/** Milliseconds until a task is asked for again: longer, the older it is. A little less than the rounds of the job. */
export function pauseOf({ submit_ms }: Pick<TaskRow, 'submit_ms'>): number {
  const age_ms = now_ms() - submit_ms
  if (age_ms < 10 * MINUTE_MS) return 14_000
  return age_ms < 60 * MINUTE_MS ? 29_000 : 119_000
}

const postpone = (some: readonly WatchedTask[], pause_ms: number) =>
  db
    .update(tasks)
    .set({ next_look_ms: now_ms() + pause_ms, times_missing: 0 })
    .where(
      and(
        inArray(
          tasks.id,
          some.map(task => task.id),
        ),
        unfinished,
      ),
    )
