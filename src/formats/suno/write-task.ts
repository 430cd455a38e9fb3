/** Writes a task as Suno-API's clients read it. */
import type { TaskStatus } from '../../contracts/task.ts'
import { unixSeconds } from '../../pure/time.ts'
import { shownStatus } from '../shown-status.ts'
import type { SunoAction, SunoAnswer, SunoTask } from './wire.ts'

interface Task {
  task_id: string
  action: string
  status: TaskStatus
  fail_reason: string
  /** Percent. */
  progress: number
  submit_ms: number
  start_ms: number
  finish_ms: number
  result: unknown
}

export const sunoTask = ({ task_id, action, status, fail_reason, progress, result, ...times }: Task): SunoTask => ({
  task_id,
  notify_hook: '',
  action: action as SunoAction,
  status: shownStatus(status),
  fail_reason,
  submit_time: unixSeconds(times.submit_ms),
  start_time: unixSeconds(times.start_ms),
  finish_time: unixSeconds(times.finish_ms),
  progress: `${progress}%`,
  search_item: '',
  data: result ?? null,
})

/** The fields of a song with an address, by the kind of the file. */
const addressFields = { audio: ['audio_url'], video: ['video_url'], cover: ['image_url', 'image_large_url'] }

/** @param urls by the name of the file, such as `audio-0` of the first song */
export const withUrls = (result: unknown, urls: Readonly<Record<string, string>>): unknown =>
  Array.isArray(result) ? result.map((song, at) => ({ ...song, ...addressesOf(at, urls) })) : result

const addressesOf = (song: number, urls: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(addressFields).flatMap(([kind, fields]) => {
      const url = urls[`${kind}-${song}`]
      return url ? fields.map(field => [field, url]) : []
    }),
  )

export const sunoAnswer = <Data>(data: Data): SunoAnswer<Data> => ({ code: 'success', message: '', data })
