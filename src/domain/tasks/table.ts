/** Asynchronous tasks of all platforms. */

import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { PriceBasis } from '../../billing/task-price.ts'
import type { KeptFile, TaskPlatform, TaskStatus } from '../../contracts/task.ts'
import { column as c } from '../../db/columns.ts'
import type { Json } from '../../pure/json.ts'
import { users } from '../users/table.ts'

type WithStatus = { status: AnyColumn }

/** Conditions of partial indexes: what is asked for has to be written alike, as text. */
export const isUnfinished = ({ status }: WithStatus): SQL => sql`${status} not in ('SUCCESS', 'FAILURE')`
export const isFailed = ({ status }: WithStatus): SQL => sql`${status} = 'FAILURE'`

export const tasks = c.table(
  'tasks',
  {
    id: c.id(),
    /** The id that its owner knows. */
    task_id: c.text().notNull(),
    platform: c.text().$type<TaskPlatform>().notNull(),
    /** In the words of the platform, such as MUSIC. */
    action: c.text().notNull(),
    /** The name under which it is priced. */
    model: c.text().notNull(),
    user_id: c
      .whole()
      .notNull()
      .references(() => users.id),
    token_id: c.whole().notNull(),
    group: c.text().notNull(),
    request_id: c.text().notNull(),
    /** `task_id` of the task that it continues; else empty. */
    origin_id: c.text().notNull().default(''),
    /** Id of the node that submits it: while that lives, a task without an upstream's id may still be accepted. */
    node: c.text().notNull(),
    /** Empty until an upstream has accepted it. Never shown to users. */
    upstream_id: c.text().notNull().default(''),
    /** Another task of the same user has this id as well: one that existed before, or whose window this fills in. */
    repeats_id: c.flag().notNull().default(false),
    /** 0 until an upstream has accepted it. */
    channel_id: c.whole().notNull().default(0),
    /** Start of the SHA-256 of the key that it was submitted with. */
    key_hash: c.text().notNull().default(''),
    status: c.text().$type<TaskStatus>().notNull(),
    /** Percent. */
    progress: c.whole().notNull().default(0),
    fail_reason: c.text().notNull().default(''),
    /** The upstream may have accepted it: it is failed, and was not charged. */
    outcome_unknown: c.flag().notNull().default(false),
    /** Unix milliseconds, as the others: of the request here, of the start and the end at the upstream; 0 for none. */
    submit_ms: c.whole().notNull(),
    start_ms: c.whole().notNull().default(0),
    finish_ms: c.whole().notNull().default(0),
    /** The client's request. */
    input: c.json<Json>().notNull(),
    /** The upstream's answer to it, where clients are shown more of that than an id; null until then. */
    answer: c.json<Json>(),
    /** What the upstream has made, as it tells it. */
    result: c.json<unknown>(),
    /** Address to which its end is sent; empty for none. */
    hook: c.text().notNull().default(''),
    /** What the quota was computed from. */
    price_basis: c.json<PriceBasis>().notNull(),
    /** Quota. */
    charged: c.whole().notNull().default(0),
    /** Unix seconds of the charge. */
    charged_time: c.whole().notNull().default(0),
    refunded: c.whole().notNull().default(0),
    /** USD that the maker takes for it, by its own word. */
    maker_cost_usd: c.decimal(),
    /** How many times in a row the upstream has not known it. */
    times_missing: c.whole().notNull().default(0),
    /** When the upstream is asked next; null where it is not asked. */
    next_look_ms: c.whole(),
    /** From then on it is asked once more, and failed unless it has ended. */
    deadline_ms: c.whole().notNull(),
    /** When its files are copied next; null where they are not, or not any more. */
    next_save_ms: c.whole(),
    /** Attempts to copy them so far. */
    save_tries: c.whole().notNull().default(0),
    /** Copies of its files; null for none. */
    kept: c.json<KeptFile[]>(),
    /** Until then they are kept; null for none. */
    kept_until_ms: c.whole(),
    /** When its owner has deleted it: from then on it is nowhere to be had; 0 for none. */
    deleted_ms: c.whole().notNull().default(0),
  },
  task => [
    c.unique('tasks_task_id').on(task.task_id),
    c
      .unique('tasks_upstream_id')
      .on(task.channel_id, task.upstream_id)
      .where(sql`${task.upstream_id} <> '' and not ${task.repeats_id}`),
    c.index('tasks_by_upstream_id').on(task.upstream_id, task.user_id).where(sql`${task.upstream_id} <> ''`),
    c.index('tasks_user').on(task.user_id, task.platform, task.id),
    // Of lists: they hold what is filtered by, so that only the rows of a page are read.
    c
      .index('tasks_user_submitted')
      .on(task.user_id, task.platform, task.submit_ms, task.id, task.deleted_ms, task.status, task.action),
    c.index('tasks_submitted').on(task.platform, task.submit_ms, task.id, task.status, task.action),
    c
      .index('tasks_channel_submitted')
      .on(task.channel_id, task.platform, task.submit_ms, task.id, task.status, task.action),
    c.index('tasks_action_submitted').on(task.action, task.platform, task.submit_ms, task.id, task.status),
    c
      .index('tasks_unfinished')
      .on(task.platform, task.submit_ms, task.id, task.status, task.action, task.user_id, task.channel_id)
      .where(isUnfinished(task)),
    c
      .index('tasks_failed')
      .on(task.platform, task.submit_ms, task.id, task.action, task.channel_id)
      .where(isFailed(task)),
    c
      .index('tasks_user_failed')
      .on(task.user_id, task.platform, task.submit_ms, task.id, task.deleted_ms, task.action)
      .where(isFailed(task)),
    c.index('tasks_next_look').on(task.next_look_ms).where(sql`${task.next_look_ms} is not null`),
    c.index('tasks_next_save').on(task.next_save_ms).where(sql`${task.next_save_ms} is not null`),
    c.index('tasks_kept_until').on(task.kept_until_ms).where(sql`${task.kept_until_ms} is not null`),
    c.index('tasks_submitting').on(task.node).where(sql`${task.status} = 'NOT_START' and ${task.upstream_id} = ''`),
  ],
)

export type TaskRow = typeof tasks.$inferSelect

/** Tasks whose end waits to be sent to their callers. */
export const taskHooks = c.table(
  'task_hooks',
  {
    id: c.id(),
    /** `id` of the task. */
    task: c
      .whole()
      .notNull()
      .references(() => tasks.id),
    tries: c.whole().notNull().default(0),
    /** Not before this time. */
    next_time: c.whole().notNull(),
  },
  hook => [c.index('task_hooks_next').on(hook.next_time)],
)
