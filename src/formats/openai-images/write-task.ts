/** Writes the task of a picture: once it is finished, with what OpenAI's API answers at once. */
import type { TaskStatus } from '../../contracts/task.ts'
import type { Json } from '../../pure/json.ts'
import { unixSeconds } from '../../pure/time.ts'
import { objectOf, objectsOf } from '../json/lenient-json.ts'
import { shownStatus } from '../shown-status.ts'
import type { PictureTask } from './wire.ts'

export interface WrittenPictureTask {
  task_id: string
  model: string
  status: TaskStatus
  /** Percent. */
  progress: number
  fail_reason: string
  submit_ms: number
  finish_ms: number
  /** The upstream's answer, once there is one. */
  result: unknown
}

const words = { SUCCESS: 'completed', FAILURE: 'failed' } as const

/** @param urlOf the address of a picture here; undefined where the maker's own counts */
export function writePictureTask(
  task: WrittenPictureTask,
  urlOf: (index: number, picture: Json) => string | undefined,
): PictureTask {
  const status = shownStatus(task.status)
  const isDone = status === 'SUCCESS'
  const { data, usage } = objectOf(task.result)
  return {
    id: task.task_id,
    object: 'image.generation',
    model: task.model,
    status: isDone || status === 'FAILURE' ? words[status] : 'in_progress',
    progress: task.progress,
    created_at: unixSeconds(task.submit_ms),
    completed_at: isDone ? unixSeconds(task.finish_ms) : null,
    error: status === 'FAILURE' ? { code: 'image_generation_failed', message: task.fail_reason } : null,
    ...(isDone && {
      data: objectsOf(data).map((picture, at) => ({ ...picture, url: urlOf(at, picture as Json) ?? picture.url })),
      usage: usage ?? undefined,
    }),
  }
}
