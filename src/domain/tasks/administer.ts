/** What administrators do with a task: ask its upstream at once, or fail it with a refund. */
import { eq } from 'drizzle-orm'
import type { Actor } from '../../contracts/actor.ts'
import { notFound, Refusal } from '../../contracts/refusal.ts'
import { FAILED_BY_ADMINISTRATOR, isSettled } from '../../contracts/task.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import { recordChange } from '../audit-log/index.ts'
import { channelById } from '../routing/index.ts'
import { failIn } from './finish.ts'
import { lookAtTask } from './poll.ts'
import { type TaskRow, tasks } from './table.ts'

/** Asks even where the job leaves the channel alone. @returns the task as it is now. @throws Refusal 404, for a task that has ended, and where there is no answer */
export async function askNow(id: number): Promise<TaskRow> {
  const task = await taskById(id)
  if (isSettled(task.status)) throw new Refusal('task.ended')
  if (!task.upstream_id) throw new Refusal('task.not_accepted')
  const channel = await channelById(task.channel_id)
  if (!channel) throw new Refusal('task.channel_gone')
  if (!(await lookAtTask(task, channel, true))) throw new Refusal('task.not_answered')
  return taskById(id)
}

/** One transaction with the refund. @throws Refusal 404, and for a task that has ended */
export const failTask = (actor: Actor, id: number): Promise<void> =>
  atomic(function* (tx) {
    const [before] = yield* run(tx.select().from(tasks).where(eq(tasks.id, id)))
    if (!before) throw notFound('task.not_found')
    if (!(yield* failIn(tx, id, { fail_reason: FAILED_BY_ADMINISTRATOR }))) throw new Refusal('task.ended')
    const [after] = yield* run(
      tx.select({ status: tasks.status, refunded: tasks.refunded }).from(tasks).where(eq(tasks.id, id)),
    )
    yield* recordChange(tx, actor, {
      action: 'task.fail',
      target: { kind: 'task', id, name: before.task_id },
      before: { status: before.status },
      after,
    })
  })

/** @throws Refusal 404 */
async function taskById(id: number): Promise<TaskRow> {
  const [task] = await db.select().from(tasks).where(eq(tasks.id, id))
  if (!task) throw notFound('task.not_found')
  return task
}
