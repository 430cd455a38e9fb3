/**
 * DashScope's jobs: a submission is answered with the id of a task, which is asked for until it has ended.
 * https://help.aliyun.com/zh/model-studio/manage-asynchronous-tasks (read 2026-11)
 */
import { withErrorType } from '../../formats/ali/api-error.ts'
import { isObject } from '../../formats/json/checks.ts'
import { objectOf, textOf } from '../../formats/json/lenient-json.ts'
import type { Json } from '../../pure/json.ts'
import { baseUrlOf } from '../kit/base-url.ts'
import { errorBody } from '../kit/json-edits.ts'
import type { Steps } from '../kit/steps.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import { ALI_BASE_URL, aliRoot } from './hosts.ts'

export const asJob = { 'x-dashscope-async': 'enable' }

export const aliUrl = (config: UpstreamConfig, path: string): string => aliRoot(baseUrlOf(config, ALI_BASE_URL)) + path

/** Milliseconds before the first polls; the last holds for all others. */
const WAITS_MS = [500, 1000, 2000, 3000]
/** Polls one after the other that say nothing about the task. */
const MISSED_MAX = 5

const waiting = new Set<unknown>(['PENDING', 'RUNNING', 'SUSPENDED'])

/** @param submitted the answer to the submission. @returns the task as it ended, or an error */
export function* finishJob(submitted: Json, config: UpstreamConfig): Steps<Json> {
  let task = submitted
  let missed = 0
  for (let polls = 0; isWaiting(task); polls++) {
    const { task_id } = objectOf(task.output)
    if (typeof task_id !== 'string' || !task_id) return errorBody('The job has no id', 'server_error', 'no_task')
    const wait_ms = WAITS_MS[Math.min(polls, WAITS_MS.length - 1)]
    const url = aliUrl(config, `/api/v1/tasks/${encodeURIComponent(task_id)}`)
    const { status, body } = yield { url, wait_ms }
    if (isObject(body) && 'task_status' in objectOf(body.output)) {
      // Some answers about a task leave out its id.
      task = { ...body, output: { task_id, ...objectOf(body.output) } }
      missed = 0
    } else if (isObject(body) && status >= 400 && status < 500 && status !== 429) return withErrorType(body)
    else if (++missed > MISSED_MAX) return errorBody('The job cannot be asked for', 'server_error', String(status))
  }
  return failureIn(task) ?? task
}

const isWaiting = ({ output }: Json) => waiting.has(objectOf(output).task_status)

const failed = new Set<unknown>(['FAILED', 'CANCELED', 'UNKNOWN'])

/** A task whose id is not known any more is `UNKNOWN`. */
function failureIn({ output }: Json): Json | undefined {
  const { task_status, code, message } = objectOf(output)
  if (!failed.has(task_status)) return undefined
  const text = textOf(message) || `The job ended as ${task_status}`
  return textOf(code) ? withErrorType({ code, message: text }) : errorBody(text, 'server_error', task_status)
}
