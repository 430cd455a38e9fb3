/** Writes a task as Kling's clients read it. */
import { objectOf } from '../json/lenient-json.ts'
import type { VideoTask } from '../openai-videos/write-video.ts'
import { shownStatus } from '../shown-status.ts'
import type { KlingAnswer, KlingTask } from './wire.ts'

/** @param url of the file, once there is one */
export function klingAnswer(task: VideoTask, url: string | undefined, request_id: string): KlingAnswer {
  const { task_id, submit_ms, finish_ms, fail_reason } = task
  const duration = String(objectOf(task.input).seconds ?? '')
  const data: KlingTask = {
    task_id,
    task_status: statusOf(task),
    task_status_msg: fail_reason || undefined,
    task_result: url ? { videos: [{ id: task_id, url, duration }] } : undefined,
    created_at: submit_ms,
    updated_at: finish_ms || submit_ms,
  }
  return { code: 0, message: 'SUCCEED', request_id, data }
}

function statusOf({ status }: VideoTask): KlingTask['task_status'] {
  if (status === 'SUCCESS') return 'succeed'
  if (status === 'FAILURE') return 'failed'
  return shownStatus(status) === 'IN_PROGRESS' ? 'processing' : 'submitted'
}
