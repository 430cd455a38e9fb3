/** What Suno-API tells of tasks that are fetched. One that cannot be read harms no other. */
import type { TaskState, TaskStatus } from '../../contracts/task.ts'
import { objectOf, objectsOf, textOf, type UnreadFields } from '../json/lenient-json.ts'
import type { SunoAnswer, SunoTask } from './wire.ts'

const statuses = new Set<string>(['NOT_START', 'SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'])

/** @returns by the upstream's id; undefined for what is no list of tasks */
export function readStates(body: unknown): Map<string, TaskState> | undefined {
  const { code, data } = objectOf<SunoAnswer<unknown>>(body)
  if (code !== 'success' || !(Array.isArray(data) || data === null || data === undefined)) return undefined
  const states = new Map<string, TaskState>()
  for (const { task_id, ...task } of objectsOf<SunoTask>(data)) {
    if (typeof task_id === 'string') states.set(task_id, stateOf(task))
  }
  return states
}

function stateOf(task: UnreadFields<SunoTask>): TaskState {
  const { data, progress } = task
  const told = statusOf(task)
  const isEmpty = told === 'SUCCESS' && !hasResult(data)
  return {
    status: isEmpty ? 'FAILURE' : told,
    progress: percentIn(progress),
    fail_reason: isEmpty ? 'finished without a result' : textOf(task.fail_reason),
    start_ms: msOf(task.start_time),
    finish_ms: msOf(task.finish_time),
    ...(data !== null && data !== '' && { result: data }),
  }
}

/** A reason of failure is one, unless the task has succeeded. */
function statusOf({ status, fail_reason }: UnreadFields<SunoTask>): TaskStatus {
  const told = typeof status === 'string' && statuses.has(status) ? (status as TaskStatus) : 'UNKNOWN'
  return told !== 'SUCCESS' && textOf(fail_reason) ? 'FAILURE' : told
}

/** A song with a file, or a text. */
function hasResult(data: unknown): boolean {
  if (Array.isArray(data)) return data.some(hasFile)
  return textOf(objectOf<{ text: string }>(data).text).trim() !== ''
}

const hasFile = (song: unknown): boolean => {
  const { audio_url, video_url } = objectOf<Record<'audio_url' | 'video_url', string>>(song)
  return [audio_url, video_url].some(url => typeof url === 'string' && /^https?:\/\//i.test(url))
}

/** `30%` @returns undefined for anything else */
function percentIn(progress: unknown): number | undefined {
  const [, digits] = /^(\d{1,4})(?:\.\d+)?%?$/.exec(String(progress ?? '')) ?? []
  return digits === undefined ? undefined : Math.min(Number(digits), 100)
}

/** Above this a time counts milliseconds. */
const SECONDS_MAX = 100_000_000_000

function msOf(time: unknown): number {
  const value = typeof time === 'number' && Number.isFinite(time) && time > 0 ? Math.floor(time) : 0
  if (value > SECONDS_MAX * 1000) return 0
  return value > SECONDS_MAX ? value : value * 1000
}
