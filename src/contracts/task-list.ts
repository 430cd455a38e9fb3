/** Lists of tasks, in the API and on pages: drawings on one, everything else that is made as a task on another. */
import { z } from 'zod'
import { LOGS_RANGES, type LogsRange } from './log.ts'
import { optional } from './paging.ts'
import { channelIdIn } from './suggestion.ts'
import type { TaskPlatform, TaskStatus } from './task.ts'

/** A task list. */
export type TaskLog = 'drawing' | 'tasks'

export const taskLogPaths = { drawing: '/app/logs/drawing', tasks: '/app/logs/tasks' } as const satisfies Record<
  TaskLog,
  string
>

const logOf: Record<TaskPlatform, TaskLog> = {
  midjourney: 'drawing',
  suno: 'tasks',
  video: 'tasks',
  image: 'tasks',
}

export const TASK_PLATFORMS = Object.keys(logOf) as TaskPlatform[]

/** Platforms whose tasks stand on a list. */
export const platformsOf = (log: TaskLog): TaskPlatform[] => TASK_PLATFORMS.filter(platform => logOf[platform] === log)

/** What a list shows unless a range is chosen; each starts at a midnight in the visitor's zone and ends in an hour. */
export const taskLogRanges = { drawing: '30d', tasks: 'today' } as const satisfies Record<TaskLog, LogsRange>

export const TASK_STATUSES = [
  ...(['NOT_START', 'SUBMITTED', 'QUEUED', 'MODAL', 'IN_PROGRESS', 'UNKNOWN', 'SAVING'] as const),
  ...(['SUCCESS', 'FAILURE'] as const),
] as const satisfies readonly TaskStatus[]

/** States of a filter on pages; the first stands for all that are not final. */
export const TASK_STATES = ['unfinished', 'SUCCESS', 'FAILURE'] as const

/** PostgreSQL text cannot hold U+0000. */
const text = optional.refine(value => !value?.includes('\0'))
const whole = optional.pipe(z.coerce.number<string | undefined>().int().min(0).optional())
const status = optional.pipe(z.enum(TASK_STATUSES).optional())

/** What the address of a page filters by; what is invalid counts as absent. */
export const taskPageFilters = {
  /** Absent for the usual one of the list. */
  range: z.enum(LOGS_RANGES).optional().catch(undefined),
  /** Values of `datetime-local` fields, for the range `custom`. */
  from: optional,
  to: optional,
  state: z.enum(TASK_STATES).optional().catch(undefined),
  action: text.catch(undefined),
  /** The id that its owner knows. */
  task: text.catch(undefined),
  username: text.catch(undefined),
  channel: z.preprocess(channelIdIn, whole).catch(undefined),
}

const shared = { p: optional, page_size: optional, action: text, status }
/** They count on lists of all users alone. */
const operators = { channel_id: whole, username: text }

/** Times are unix milliseconds, inclusive. */
export const DrawingQuery = z.object({
  ...shared,
  ...operators,
  mj_id: text,
  start_timestamp: whole.describe('Unix milliseconds.'),
  end_timestamp: whole.describe('Unix milliseconds.'),
})

/** Times are unix seconds, inclusive. */
export const TaskQuery = z.object({
  ...shared,
  ...operators,
  task_id: text,
  platform: text,
  start_timestamp: whole,
  end_timestamp: whole,
})

const common = {
  id: z.int(),
  user_id: z.int(),
  username: z.string().describe('Empty on own lists.'),
  action: z.string(),
  channel_id: z.int().describe('0 on own lists.'),
  quota: z.int().describe('What was charged.'),
  refunded: z.int().describe('Quota that was given back.'),
  status: z.enum(TASK_STATUSES),
  progress: z.string().describe('Such as `35%`.'),
  fail_reason: z.string(),
}

/** A drawing in the API. Times are unix milliseconds, 0 for none. */
export const DrawingEntry = z
  .object({
    ...common,
    mj_id: z.string(),
    code: z.int().describe('Of the answer to the submit: 0 not submitted, 1 submitted, 21 waiting, 22 duplicate.'),
    prompt: z.string(),
    prompt_en: z.string(),
    description: z.string(),
    state: z.string().describe('The mark of the client.'),
    created_at: z.int().describe('Unix milliseconds.'),
    submit_time: z.int().describe('Unix milliseconds.'),
    start_time: z.int().describe('Unix milliseconds.'),
    finish_time: z.int().describe('Unix milliseconds.'),
    image_url: z.string(),
    video_url: z.string(),
    buttons: z.string().describe('JSON text.'),
    properties: z.string().describe('JSON text.'),
  })
  .meta({ id: 'DrawingEntry' })
export type DrawingEntry = z.output<typeof DrawingEntry>

/** Another task in the API. Times are unix seconds, 0 for none. */
export const TaskEntry = z
  .object({
    ...common,
    task_id: z.string(),
    platform: z.string(),
    created_at: z.int(),
    updated_at: z.int(),
    submit_time: z.int(),
    start_time: z.int(),
    finish_time: z.int(),
    properties: z.object({ input: z.string().describe('The prompt.') }),
    data: z.unknown().describe('What was made, as the upstream tells it; null for none, and for more than 64 KB.'),
  })
  .meta({ id: 'TaskEntry' })
export type TaskEntry = z.output<typeof TaskEntry>

/** Tasks of a list are counted up to here; then `capped` is true. */
export const TASKS_COUNTED_MAX = 10_000

/** Where a further part of a list begins: behind a task, by its time and id, as `1717000000000-42`. */
export interface TaskCursor {
  submit_ms: number
  id: number
}

export const cursorText = ({ submit_ms, id }: TaskCursor): string => `${submit_ms}-${id}`

export function cursorIn(text: string | undefined): TaskCursor | undefined {
  const [, submit_ms, id] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '') ?? []
  return id === undefined ? undefined : { submit_ms: Number(submit_ms), id: Number(id) }
}
