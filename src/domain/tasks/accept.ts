/** Acceptance: the upstream's id is written in the transaction that bills the task. */
import { and, eq, ne } from 'drizzle-orm'
import type { TaskStatus } from '../../contracts/task.ts'
import { atomic, run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { now_ms } from '../../process/clock.ts'
import type { Json } from '../../pure/json.ts'
import { keyHashOf } from '../stored-objects/index.ts'
import { endState, stateAt, whenEnded } from './keep-results.ts'
import { type TaskRow, tasks } from './table.ts'

export interface Acceptance {
  /** Empty for a task that is done and has none. */
  upstream_id: string
  channel_id: number
  /** The channel's key that it was submitted with. */
  key: string
  /** Quota. */
  charged: number
  /** `SUBMITTED` unless the upstream says more. */
  status?: TaskStatus
  result?: unknown
  /** The upstream's answer, where clients are shown more of it than the id. */
  answer?: Json
  /** The id may be that of another task of the same user. */
  may_repeat?: boolean
}

/**
 * Condition of the bill of a task.
 * @returns false where nothing may be billed: the task was failed meanwhile, or the id is that of another task
 */
export function* acceptTask(
  tx: Tx,
  { id, user_id }: Pick<TaskRow, 'id' | 'user_id'>,
  acceptance: Acceptance,
  at: number,
) {
  const { key, charged, status = 'SUBMITTED', may_repeat = false, result, ...place } = acceptance
  const owner = yield* ownerOf(tx, place)
  if (owner !== undefined && !(may_repeat && owner === user_id)) return false
  const known = { ...place, repeats_id: owner !== undefined, key_hash: keyHashOf(key) }
  const state = status === 'SUCCESS' ? { ...endState(), finish_ms: now_ms(), result } : { ...stateAt(status), result }
  const [task] = yield* run(
    tx
      .update(tasks)
      .set({ ...known, ...state, charged, charged_time: at })
      .where(and(eq(tasks.id, id), eq(tasks.status, 'NOT_START')))
      .returning({ id: tasks.id, hook: tasks.hook, status: tasks.status }),
  )
  if (task) {
    yield* whenEnded(tx, task)
    return true
  }
  // Its node was taken for dead: the doubt is over, and the money stays.
  yield* run(tx.update(tasks).set(known).where(eq(tasks.id, id)))
  return false
}

/** A task that was failed because its call was lost has shown up: the money stays. @returns false for the id of another task */
export const noteFound = ({ id }: Pick<TaskRow, 'id'>, place: Pick<Acceptance, 'upstream_id' | 'channel_id'>) =>
  atomic(function* (tx) {
    if ((yield* ownerOf(tx, place)) !== undefined) return false
    const isUnknown = and(eq(tasks.id, id), eq(tasks.outcome_unknown, true), eq(tasks.upstream_id, ''))
    return (yield* run(tx.update(tasks).set(place).where(isUnknown).returning({ id: tasks.id }))).length > 0
  })

/**
 * An upstream that gives one id twice would show one user what it has made for another.
 * @returns the user who has a task under this id; undefined for a new one
 */
function* ownerOf(tx: Tx, { upstream_id, channel_id }: Pick<Acceptance, 'upstream_id' | 'channel_id'>) {
  if (!upstream_id) return undefined
  const [other] = yield* run(
    tx
      .select({ user_id: tasks.user_id })
      .from(tasks)
      // The index has no empty ids.
      .where(and(eq(tasks.channel_id, channel_id), eq(tasks.upstream_id, upstream_id), ne(tasks.upstream_id, '')))
      .limit(1),
  )
  return other?.user_id
}
