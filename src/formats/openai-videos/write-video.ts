/** Writes a task as clients of OpenAI's videos read it, and as those of older gateways do. */
import type { TaskStatus } from '../../contracts/task.ts'
import { unixSeconds } from '../../pure/time.ts'
import { objectOf, textOf } from '../json/lenient-json.ts'
import { shownStatus } from '../shown-status.ts'
import { figureIn } from '../videos/states.ts'
import type { Generation, Video, VideoList, VideoStatus } from './wire.ts'

export interface VideoTask {
  task_id: string
  model: string
  status: TaskStatus
  /** Percent. */
  progress: number
  fail_reason: string
  submit_ms: number
  finish_ms: number
  /** The request in canonical form. */
  input: unknown
  origin_id: string
}

/** @param url of the file, once there is one */
export function writeVideo(task: VideoTask, url: string | undefined): Video {
  const { seconds, size } = objectOf(task.input)
  return {
    id: task.task_id,
    object: 'video',
    model: task.model,
    status: videoStatus(task.status),
    progress: task.progress,
    created_at: unixSeconds(task.submit_ms),
    completed_at: task.status === 'SUCCESS' ? unixSeconds(task.finish_ms) : null,
    expires_at: null,
    seconds: seconds === undefined ? undefined : String(seconds),
    size: textOf(size) || undefined,
    remixed_from_video_id: task.origin_id || null,
    error: task.status === 'FAILURE' ? { code: 'video_generation_failed', message: task.fail_reason } : null,
    metadata: url ? { url } : undefined,
  }
}

function videoStatus(status: TaskStatus): VideoStatus {
  if (status === 'SUCCESS') return 'completed'
  if (status === 'FAILURE') return 'failed'
  return shownStatus(status) === 'IN_PROGRESS' ? 'in_progress' : 'queued'
}

export const writeVideoList = (data: Video[], has_more: boolean): VideoList => ({
  object: 'list',
  data,
  first_id: data[0]?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
  has_more,
})

const generationWords = {
  queued: 'queued',
  in_progress: 'processing',
  completed: 'succeeded',
  failed: 'failed',
} as const

const FAILED = 500

export function writeGeneration(task: VideoTask, url: string | undefined): Generation {
  const { size, seconds } = objectOf(task.input)
  const [width, height] = textOf(size) ? textOf(size).split('x').map(Number) : []
  return {
    task_id: task.task_id,
    status: generationWords[videoStatus(task.status)],
    url,
    format: url ? 'mp4' : undefined,
    metadata: url ? { duration: figureIn(seconds), width, height } : undefined,
    error: task.status === 'FAILURE' ? { code: FAILED, message: task.fail_reason } : undefined,
  }
}
