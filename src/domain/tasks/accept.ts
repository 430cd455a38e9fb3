/** Acceptance: the upstream's id is written in the transaction that bills the task. */
import { and, eq } from 'drizzle-orm'
import { progressOf } from '../../contracts/task.ts'
import { run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { now_ms } from '../../process/clock.ts'
import { keyHashOf } from '../stored-objects/index.ts'
import { type TaskRow, tasks } from './table.ts'

export interface Acceptance {
  upstream_id: string
  channel_id: number
  /** The channel's key that it was submitted with. */
  key: string
  /** Quota. */
  charged: number
}

/**
 * Condition of the bill of a task.
 * @returns false where nothing may be billed: the task was failed meanwhile, or the id is that of another task
 */
export function* acceptTask(tx: Tx, { id }: Pick<TaskRow, 'id'>, { key, charged, ...place }: Acceptance, at: number) {
  if (yield* isTaken(tx, place)) return false
  const known = { ...place, key_hash: keyHashOf(key) }
  const status = 'SUBMITTED'
  const accepted = yield* run(
    tx
      .update(tasks)
      .set({ ...known, charged, charged_time: at, status, progress: progressOf[status], next_look_ms: now_ms() })
      .where(and(eq(tasks.id, id), eq(tasks.status, 'NOT_START')))
      .returning({ id: tasks.id }),
  )
  if (accepted.length) return true
  // Its node was taken for dead: the doubt is over, and the money stays.
  yield* run(tx.update(tasks).set(known).where(eq(tasks.id, id)))
  return false
}

/** An upstream that gives one id twice would show one user what it has made for another. */
function* isTaken(tx: Tx, { upstream_id, channel_id }: Pick<Acceptance, 'upstream_id' | 'channel_id'>) {
  const [other] = yield* run(
    tx
      .select({ id: tasks.id })
      .from(tasks)
      .where(and(eq(tasks.channel_id, channel_id), eq(tasks.upstream_id, upstream_id))),
  )
  return other !== undefined
}
