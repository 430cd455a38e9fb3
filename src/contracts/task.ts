/** Asynchronous tasks: states, kinds, limits. */

/** Who runs a task, and with which actions. */
export type TaskPlatform = 'suno' | 'midjourney' | 'video' | 'image'

/** In the order in which a task passes through them; `MODAL` waits for a second request of the client. */
const unfinished = ['NOT_START', 'SUBMITTED', 'QUEUED', 'MODAL', 'IN_PROGRESS'] as const

/**
 * `UNKNOWN` is the answer of an upstream that cannot be read. With `SAVING` the upstream has finished, and its files are
 * being copied; a task with a final state keeps it.
 */
export type TaskStatus = (typeof unfinished)[number] | 'UNKNOWN' | 'SAVING' | 'SUCCESS' | 'FAILURE'

export const FINAL_STATUSES = ['SUCCESS', 'FAILURE'] as const satisfies TaskStatus[]

/** With these the upstream has nothing more to say, and no money moves. */
export const SETTLED_STATUSES = ['SAVING', ...FINAL_STATUSES] as const satisfies TaskStatus[]

export const isSettled = (status: TaskStatus): boolean => (SETTLED_STATUSES as readonly TaskStatus[]).includes(status)

export const isFinal = (status: TaskStatus): boolean => (FINAL_STATUSES as readonly TaskStatus[]).includes(status)

const isUnfinished = (status: TaskStatus): status is (typeof unfinished)[number] =>
  (unfinished as readonly TaskStatus[]).includes(status)

/** States from which a task may go on to an unfinished one: never backwards. */
export const statusesUpTo = (status: TaskStatus): TaskStatus[] =>
  isUnfinished(status) ? ['UNKNOWN', ...unfinished.slice(0, unfinished.indexOf(status) + 1)] : []

/** Percent that a state stands for where the upstream names none. */
export const progressOf: Record<TaskStatus, number> = {
  NOT_START: 0,
  SUBMITTED: 10,
  QUEUED: 20,
  MODAL: 20,
  IN_PROGRESS: 30,
  UNKNOWN: 0,
  SAVING: 99,
  SUCCESS: 100,
  FAILURE: 100,
}

/** Why a task has failed, where that is not in its upstream's words. */
export const FAILED_BY_ADMINISTRATOR = 'failed by an administrator'

/** What an upstream tells of a task. */
export interface TaskState {
  status: TaskStatus
  /** Percent; by the state where the upstream names none. */
  progress?: number
  fail_reason: string
  /** Unix milliseconds; 0 for none. */
  start_ms: number
  finish_ms: number
  /** What has been made so far, as the upstream tells it. */
  result?: unknown
  report?: TaskReport
}

/** What a task has taken, by the word of its upstream. */
export interface TaskReport {
  /** Length of what was made. */
  seconds?: number
  tokens?: number
  /** What is counted beside the units, such as `{ web_search: 2 }`. */
  extras?: Readonly<Record<string, number>>
  /** What the maker takes for it. */
  cost_usd?: number
}

export type FileKind = 'image' | 'audio' | 'video'

/** A file that a task has made. */
export interface TaskFile {
  /** Such as `video` or `audio-1`: unique within the task, and a part of the address. */
  name: string
  kind: FileKind
  /** The maker's address, or a data URL; absent where the maker is asked for it. */
  url?: string
}

/** A copy of a file of a task. */
export interface KeptFile {
  name: string
  /** Where it lies below `RESULTS_URL`. */
  key: string
  /** Media type. */
  type: string
  bytes: number
}

/** Ids that one request asks for at most. */
export const TASK_IDS_MAX = 1000
