/** A task as its page shows it. */
import type { PriceBasis } from '../../src/billing/task-price.ts'
import type { TaskPlatform, TaskStatus } from '../../src/contracts/task.ts'
import type { TasksView } from './view.ts'

export interface TaskItem {
  id: number
  task_id: string
  /** Of drawings, which callers know by it; else empty. */
  mj_id: string
  platform: TaskPlatform
  action: string
  /** Name under which it is priced. */
  model: string
  status: TaskStatus
  /** Percent. */
  progress: number
  fail_reason: string
  /** Unix milliseconds; 0 for none. */
  submit_ms: number
  start_ms: number
  finish_ms: number
  /** Quota. */
  charged: number
  refunded: number
  prompt: string
  prompt_en: string
  /** Whose it is; administrators alone see it, as what follows. */
  user_id: number
  username: string
  /** 0 where none has accepted it. */
  channel_id: number
  channel_name: string
  /** Its owner has deleted it. */
  is_deleted: boolean
}

export interface Song {
  title: string
  /** Addresses; empty for none. */
  audio: string
  video: string
  cover: string
  seconds: number
  tags: string
  words: string
}

/** Addresses of what was made. */
export interface TaskFiles {
  pictures: string[]
  /** `poster` is empty for none. */
  videos: { src: string; poster: string }[]
  songs: Song[]
}

/** Facts for administrators. */
export interface TaskOperations {
  node: string
  upstream_id: string
  /** The maker's own price; absent where it tells none. */
  cost_usd: number | undefined
  /** The upstream may have accepted it. */
  is_unknown: boolean
  /** Unix milliseconds; from then on it is asked once more. */
  deadline_ms: number
}

/** An open task. */
export interface TaskDetail extends TaskItem, TaskFiles {
  request_id: string
  group: string
  /** `task_id` of the task that it continues. */
  origin_id: string
  description: string
  /** Addresses of what was uploaded. */
  links: string[]
  buttons: string[]
  lyrics: { title: string; text: string } | undefined
  /** What the upstream tells of it, as JSON; empty for nothing. */
  raw: string
  price_basis: PriceBasis
  operations: TaskOperations | undefined
}

/** A task that is open over its list. */
export interface OpenTask {
  view: TasksView
  task: TaskDetail
}

export const isUnfinished = ({ status }: Pick<TaskItem, 'status'>) => status !== 'SUCCESS' && status !== 'FAILURE'

/** What was kept of the charge. */
export const costOf = ({ charged, refunded }: Pick<TaskItem, 'charged' | 'refunded'>) => charged - refunded

/** Milliseconds from the request to the end. @returns undefined for a task without an end */
export const tookOf = ({ submit_ms, finish_ms }: Pick<TaskItem, 'submit_ms' | 'finish_ms'>) =>
  finish_ms > submit_ms ? finish_ms - submit_ms : undefined
