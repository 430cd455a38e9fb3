/**
 * Lists of tasks, newest first, at any size. The ids of a page are found in an index that holds what is filtered by, for
 * each platform alone, so that no platform is walked for another's tasks; then its rows are read.
 */
import {
  type AnyColumn,
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  lt,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { isFinal, type TaskPlatform, type TaskStatus } from '../../contracts/task.ts'
import { TASK_STATUSES, TASKS_COUNTED_MAX, type TaskCursor } from '../../contracts/task-list.ts'
import { batchesOf } from '../../db/batches.ts'
import { db } from '../../db/database.ts'
import { count, unindexed } from '../../db/fragments.ts'
import { users } from '../users/table.ts'
import { isFailed, isUnfinished, type TaskRow, tasks } from './table.ts'

/** A filter with its permission. Times are unix milliseconds, inclusive. */
export interface TaskScope {
  platforms: readonly TaskPlatform[]
  /** Limits it to this user's tasks. */
  user_id?: number
  /** The user asks: those that the user has deleted are left out. */
  is_owner?: boolean
  channel_id?: number
  upstream_id?: string
  task_id?: string
  action?: string
  statuses?: readonly TaskStatus[]
  from_ms?: number
  to_ms?: number
}

export const UNFINISHED_STATUSES = TASK_STATUSES.filter(status => !isFinal(status))

const NO_USER = -1

/** @returns the id of the user who has this name now; -1 for none */
export async function userIdOf(username: string): Promise<number> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.username, username))
  return user?.id ?? NO_USER
}

interface Part {
  limit: number
  offset?: number
  /** Begins behind this task. */
  after?: TaskCursor
}

/** A row as lists show it: large results are left out, and the price. */
export type ListedTask = Omit<TaskRow, 'price_basis'>

/** Longer results are files themselves. Bytes of JSON. */
const RESULT_LISTED_MAX = 65_536

const { price_basis: _, ...columns } = getTableColumns(tasks)
const listed = {
  ...columns,
  result: sql<unknown>`case when length(${tasks.result}) <= ${RESULT_LISTED_MAX} then ${tasks.result} end`.mapWith(
    tasks.result,
  ),
}

export async function listTasks(scope: TaskScope, part: Part): Promise<ListedTask[]> {
  const ids = await idsOf(scope, part)
  return tasksById(
    { platforms: scope.platforms, user_id: scope.user_id, is_owner: scope.is_owner },
    ids.map(({ id }) => id),
  )
}

/** In the order of the ids, without those that are beyond the scope. */
export async function tasksById(
  { platforms, user_id, is_owner }: Pick<TaskScope, 'platforms' | 'user_id' | 'is_owner'>,
  ids: readonly number[],
): Promise<ListedTask[]> {
  if (!ids.length) return []
  const rows = await db
    .select(listed)
    .from(tasks)
    .where(
      and(
        inArray(tasks.id, [...ids]),
        inArray(unindexed(tasks.platform), [...platforms]),
        user_id === undefined ? undefined : eq(unindexed(tasks.user_id), user_id),
        is_owner ? eq(tasks.deleted_ms, 0) : undefined,
      ),
    )
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

/** The whole row. @returns undefined for one beyond the scope */
export async function findTask(scope: TaskScope, id: number): Promise<TaskRow | undefined> {
  const [listed] = await tasksById(scope, [id])
  const [row] = listed ? await db.select().from(tasks).where(eq(tasks.id, id)) : []
  return row
}

interface Neighbours {
  /** Ids of the next older and the next newer task; undefined at an end. */
  older: number | undefined
  newer: number | undefined
}

export async function neighboursOf(scope: TaskScope, of: TaskCursor): Promise<Neighbours> {
  const [[older], newer] = await Promise.all([
    idsOf(scope, { limit: 1, after: of }),
    Promise.all(scope.platforms.map(platform => newerThan(scope, platform, of))),
  ])
  const [next] = newer.flat().sort((one, other) => one.submit_ms - other.submit_ms || one.id - other.id)
  return { older: older?.id, newer: next?.id }
}

const newerThan = (scope: TaskScope, platform: TaskPlatform, { submit_ms, id }: TaskCursor) =>
  db
    .select({ id: tasks.id, submit_ms: tasks.submit_ms })
    .from(tasks)
    .where(
      and(
        conditionOf(scope, platform),
        gte(tasks.submit_ms, submit_ms),
        or(gt(tasks.submit_ms, submit_ms), gt(tasks.id, id)),
      ),
    )
    .orderBy(asc(tasks.submit_ms), asc(tasks.id))
    .limit(1)

/** Every match, newest first, in batches. */
export const walkTasks = (scope: TaskScope): AsyncGenerator<ListedTask[]> =>
  batchesOf((last, limit) => listTasks(scope, { limit, after: last }))

interface Count {
  total: number
  /** There are more than 10,000, where counting stops. */
  capped: boolean
}

/** The number of matches. A part that ends the list tells it; else they are counted. @param found rows of the part */
export async function countTasks(scope: TaskScope, { limit, offset = 0, after }: Part, found: number): Promise<Count> {
  if (found < limit && !after && (found > 0 || offset === 0)) return { total: offset + found, capped: false }
  const counts = await Promise.all(scope.platforms.map(platform => countOn(scope, platform)))
  const total = counts.reduce((sum, next) => sum + next, 0)
  return { total: Math.min(total, TASKS_COUNTED_MAX), capped: total > TASKS_COUNTED_MAX }
}

async function countOn(scope: TaskScope, platform: TaskPlatform): Promise<number> {
  const matches = db
    .select({ one: sql`1`.as('one') })
    .from(tasks)
    .where(conditionOf(scope, platform))
    .limit(TASKS_COUNTED_MAX + 1)
    .as('matches')
  const [row] = await db.select({ total: count() }).from(matches)
  return row!.total
}

/** Of each platform as many as are needed, merged. */
async function idsOf(scope: TaskScope, { limit, offset = 0, after }: Part): Promise<TaskCursor[]> {
  const [first, ...others] = scope.platforms.map(platform =>
    db
      .select({ id: tasks.id, submit_ms: tasks.submit_ms })
      .from(tasks)
      .where(and(conditionOf(scope, platform), after && isBehind(after)))
      .orderBy(...orderFor(scope)),
  )
  if (!first) return []
  if (!others.length) return first.limit(limit).offset(offset)
  const [part, ...rest] = [first, ...others].map(ids => db.select().from(ids.limit(offset + limit).as('part')))
  let merged = part!.$dynamic()
  for (const next of rest) merged = merged.unionAll(next) as typeof merged
  return merged.orderBy(sql`submit_ms desc, id desc`).limit(limit).offset(offset)
}

const isBehind = ({ submit_ms, id }: TaskCursor) =>
  and(lte(tasks.submit_ms, submit_ms), or(lt(tasks.submit_ms, submit_ms), lt(tasks.id, id)))

/** The few rows of an id are sorted; else the index has the order. */
const orderFor = (scope: TaskScope) =>
  leadingOf(scope) === 'id'
    ? [desc(unindexed(tasks.submit_ms)), desc(tasks.id)]
    : [desc(tasks.submit_ms), desc(tasks.id)]

/** The filter whose index is walked; the others are looked at in that index. */
function leadingOf({ task_id, upstream_id, user_id, channel_id, action, statuses }: Omit<TaskScope, 'platforms'>) {
  if (task_id !== undefined || upstream_id !== undefined) return 'id'
  if (statuses && !statuses.some(isFinal)) return 'unfinished'
  const hasFailed = statuses?.length === 1 && statuses[0] === 'FAILURE'
  if (user_id !== undefined) return hasFailed ? 'user_failed' : 'user'
  if (channel_id !== undefined) return 'channel'
  if (hasFailed) return 'failed'
  return action === undefined ? 'time' : 'action'
}

function conditionOf(scope: TaskScope, platform: TaskPlatform): SQL | undefined {
  const { user_id, is_owner, channel_id, upstream_id, task_id, action, statuses, from_ms, to_ms } = scope
  const leading = leadingOf(scope)
  const place = (column: AnyColumn, leads: boolean) => (leads ? sql`${column}` : unindexed(column))
  const ofUser = leading === 'user' || leading === 'user_failed'
  return and(
    task_id === undefined ? undefined : eq(tasks.task_id, task_id),
    upstream_id === undefined ? undefined : and(eq(tasks.upstream_id, upstream_id), ne(tasks.upstream_id, '')),
    user_id === undefined ? undefined : eq(place(tasks.user_id, ofUser), user_id),
    channel_id === undefined ? undefined : eq(place(tasks.channel_id, leading === 'channel'), channel_id),
    eq(place(tasks.platform, leading !== 'id'), platform),
    leading === 'unfinished' ? isUnfinished(tasks) : undefined,
    leading === 'failed' || leading === 'user_failed'
      ? isFailed(tasks)
      : statuses && inArray(unindexed(tasks.status), [...statuses]),
    action === undefined ? undefined : eq(place(tasks.action, leading === 'action'), action),
    is_owner ? eq(unindexed(tasks.deleted_ms), 0) : undefined,
    from_ms === undefined ? undefined : gte(tasks.submit_ms, from_ms),
    to_ms === undefined ? undefined : lte(tasks.submit_ms, to_ms),
  )
}
