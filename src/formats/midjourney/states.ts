/** What Midjourney Proxy tells of tasks that are listed or pushed. One that cannot be read harms no other. */
import type { TaskState, TaskStatus } from '../../contracts/task.ts'
import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf, textOf, type UnreadFields } from '../json/lenient-json.ts'
import type { MidjourneyTask } from './wire.ts'

type UnreadTask = UnreadFields<MidjourneyTask>

const statuses: Record<string, TaskStatus | undefined> = Object.assign(Object.create(null), {
  NOT_START: 'NOT_START',
  SUBMITTED: 'SUBMITTED',
  MODAL: 'MODAL',
  IN_PROGRESS: 'IN_PROGRESS',
  SUCCESS: 'SUCCESS',
  FAILURE: 'FAILURE',
  CANCEL: 'FAILURE',
} satisfies Record<string, TaskStatus>)

/** @returns by the upstream's id; undefined for what is no list of tasks */
export function readStates(body: unknown): Map<string, TaskState> | undefined {
  if (!Array.isArray(body)) return undefined
  const states = new Map<string, TaskState>()
  for (const task of objectsOf<MidjourneyTask>(body)) {
    if (typeof task.id === 'string') states.set(task.id, stateOf(task))
  }
  return states
}

/** @returns undefined for what is no task */
export function readState(body: unknown): { id: string; state: TaskState } | undefined {
  const { id, ...task } = objectOf<MidjourneyTask>(body)
  return typeof id === 'string' && id ? { id, state: stateOf(task) } : undefined
}

function stateOf(task: UnreadTask): TaskState {
  const told = statusOf(task)
  const isEmpty = told === 'SUCCESS' && !hasResult(task)
  return {
    status: isEmpty ? 'FAILURE' : told,
    progress: percentIn(task.progress),
    fail_reason: isEmpty ? 'finished without a result' : reasonOf(task),
    start_ms: msOf(task.startTime),
    finish_ms: msOf(task.finishTime),
    result: resultOf(task as Json),
  }
}

/** A reason of failure is one, unless the task has succeeded. */
function statusOf({ status, failReason }: UnreadTask): TaskStatus {
  const told = statuses[textOf(status)] ?? 'UNKNOWN'
  return told !== 'SUCCESS' && textOf(failReason) ? 'FAILURE' : told
}

const reasonOf = ({ status, failReason }: UnreadTask) =>
  textOf(failReason) || (status === 'CANCEL' ? 'cancelled at the upstream' : '')

const isAddress = (value: unknown) => typeof value === 'string' && /^https?:\/\//i.test(value)

/** A description and a shortened prompt are texts, everything else has a file. */
function hasResult({ action, imageUrl, videoUrl, videoUrls, ...task }: UnreadTask): boolean {
  if ([imageUrl, videoUrl, ...objectsOf<{ url: string }>(videoUrls).map(({ url }) => url)].some(isAddress)) return true
  const { finalPrompt } = objectOf(task.properties)
  const isOfText = action === 'DESCRIBE' || action === 'SHORTEN'
  return isOfText && [task.prompt, task.promptEn, finalPrompt].some(text => textOf(text).trim() !== '')
}

const HIDDEN = ['notifyHook', 'id', 'maskBase64']

/** What it tells, without its own address of callbacks and the pictures that it was sent. */
function resultOf({ properties, ...task }: Json): Json {
  const rest = Object.fromEntries(Object.entries(task).filter(([name]) => !HIDDEN.includes(name)))
  if (!isObject(properties)) return rest
  const { notifyHook: _, ...shown } = properties
  return { ...rest, properties: shown }
}

/** `30%` @returns undefined for anything else */
function percentIn(progress: unknown): number | undefined {
  const [, digits] = /^(\d{1,4})(?:\.\d+)?%?$/.exec(String(progress ?? '')) ?? []
  return digits === undefined ? undefined : Math.min(Number(digits), 100)
}

/** Below this a time counts seconds, above it microseconds or worse. */
const MS_MIN = 100_000_000_000
const MS_MAX = 100_000_000_000_000

function msOf(time: unknown): number {
  const value = typeof time === 'number' && Number.isFinite(time) && time > 0 ? Math.floor(time) : 0
  if (value >= MS_MAX) return 0
  return value < MS_MIN ? value * 1000 : value
}
