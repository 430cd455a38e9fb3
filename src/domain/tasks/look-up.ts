/** Finds tasks for their owner: another user's are nowhere, nor are those that the owner has deleted. */
import { and, asc, desc, eq, gt, inArray, lt, ne } from 'drizzle-orm'
import type { TaskPlatform } from '../../contracts/task.ts'
import { db } from '../../db/database.ts'
import { now_ms } from '../../process/clock.ts'
import { type TaskRow, tasks } from './table.ts'

export interface TaskOwner {
  user_id: number
  /** Any unless given. */
  platform?: TaskPlatform
}

const isOwned = ({ user_id, platform }: TaskOwner) =>
  and(eq(tasks.user_id, user_id), platform && eq(tasks.platform, platform), eq(tasks.deleted_ms, 0))

/** @returns undefined for an unknown id, and for that of another user */
export const taskOf = async (owned: TaskOwner, task_id: string): Promise<TaskRow | undefined> =>
  (await tasksOf(owned, [task_id]))[0]

/** In the order of the ids, each once; those that are unknown or another user's are left out. */
export async function tasksOf(owned: TaskOwner, ids: readonly string[]): Promise<TaskRow[]> {
  // PostgreSQL takes no text with NUL.
  const wanted = [...new Set(ids)].filter(id => !id.includes('\0'))
  if (!wanted.length) return []
  const rows = await db
    .select()
    .from(tasks)
    .where(and(isOwned(owned), inArray(tasks.task_id, wanted)))
  const byId = new Map(rows.map(row => [row.task_id, row]))
  return wanted.flatMap(id => byId.get(id) ?? [])
}

/**
 * By the ids of their upstreams, which callers of drawings know: in the order of the ids, each once. Of several rows
 * under one id the last counts.
 */
export async function tasksByUpstreamId(owner: TaskOwner, ids: readonly string[]): Promise<TaskRow[]> {
  const wanted = [...new Set(ids)].filter(id => id && !id.includes('\0'))
  if (!wanted.length) return []
  const { upstream_id } = tasks
  const rows = await db
    .select()
    .from(tasks)
    .where(and(isOwned(owner), inArray(upstream_id, wanted), ne(upstream_id, '')))
    .orderBy(asc(tasks.id))
  const byId = new Map(rows.map(row => [row.upstream_id, row]))
  return wanted.flatMap(id => byId.get(id) ?? [])
}

/** For those who hold a signed address of it. */
export async function taskOfAnyone(task_id: string): Promise<TaskRow | undefined> {
  const isThere = and(eq(tasks.task_id, task_id), eq(tasks.deleted_ms, 0))
  const [task] = await db.select().from(tasks).where(isThere)
  return task
}

interface TaskPage {
  limit: number
  order: 'asc' | 'desc'
  /** Begins behind this task. */
  after?: Pick<TaskRow, 'id'>
}

/** A page of the owner's tasks by age. */
export function taskPage(owned: TaskOwner, { limit, order, after }: TaskPage): Promise<TaskRow[]> {
  const isBehind = after && (order === 'asc' ? gt : lt)(tasks.id, after.id)
  return db
    .select()
    .from(tasks)
    .where(and(isOwned(owned), isBehind))
    .orderBy((order === 'asc' ? asc : desc)(tasks.id))
    .limit(limit)
}

/** Hides a task from its owner; the row stays for its bill. */
export async function deleteTask({ id }: Pick<TaskRow, 'id'>) {
  await db.update(tasks).set({ deleted_ms: now_ms() }).where(eq(tasks.id, id))
}
