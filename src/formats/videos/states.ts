/** What upstreams tell of videos, as tasks have it. */
import type { TaskReport, TaskState, TaskStatus } from '../../contracts/task.ts'
import { numberOf } from '../json/lenient-json.ts'

/** A finished video. */
export interface VideoResult {
  /** Address of the file, or a data URL. */
  url?: string
  /** The maker's name for a file whose address it has to be asked for. */
  file_id?: string
  /** Picture of the video. */
  cover_url?: string
  last_frame_url?: string
  /** The address is for the key alone that made it. */
  needs_key?: boolean
}

/** A state in the words of one maker. */
export interface VideoState {
  status: TaskStatus
  /** Percent. */
  progress?: number
  fail_reason?: string
  video?: VideoResult
  report?: TaskReport
}

/** Each word of a maker, in lower case, with what it stands for. */
export type StateWords = Readonly<Record<string, TaskStatus>>

/** Words that several makers use. */
export const usualWords: StateWords = {
  ...words('QUEUED', 'queued', 'queueing', 'pending', 'created', 'submitted', 'inqueue', 'in_queue', 'preparing'),
  ...words('IN_PROGRESS', 'in_progress', 'inprogress', 'processing', 'running', 'generating'),
  ...words('SUCCESS', 'completed', 'succeeded', 'succeed', 'success', 'done'),
  ...words('FAILURE', 'failed', 'fail', 'failure', 'cancelled', 'canceled', 'expired', 'rejected'),
}

function words(status: TaskStatus, ...own: string[]): StateWords {
  return Object.fromEntries(own.map(word => [word, status]))
}

export function statusIn(word: unknown, own: StateWords = usualWords): TaskStatus {
  const known = typeof word === 'string' ? word.toLowerCase() : ''
  return Object.hasOwn(own, known) ? own[known]! : 'UNKNOWN'
}

/** A video without a file is none. */
export function taskState({ status, progress, fail_reason = '', video = {}, report }: VideoState): TaskState {
  const times = { start_ms: 0, finish_ms: 0 }
  if (status === 'SUCCESS' && !hasFile(video))
    return { ...times, status: 'FAILURE', fail_reason: 'finished without a result', report }
  const result = status === 'SUCCESS' ? { result: shown(video) } : {}
  return { ...times, ...result, status, progress: percent(progress), fail_reason, report }
}

const hasFile = ({ url, file_id }: VideoResult): boolean => isFileUrl(url) || Boolean(file_id)

const shown = (video: VideoResult) => Object.fromEntries(Object.entries(video).filter(([, value]) => value))

export const isFileUrl = (url: unknown): url is string =>
  typeof url === 'string' && /^(?:https?:\/\/|data:video\/)/i.test(url)

/** @returns the text where it is an address */
export const fileUrl = (url: unknown): string | undefined => (isFileUrl(url) ? url : undefined)

const percent = (progress: number | undefined) =>
  progress === undefined || !(progress >= 0) ? undefined : Math.min(Math.floor(progress), 100)

/** A number, or a text of one, such as `"8.2"`. */
export const figureIn = (value: unknown): number | undefined =>
  typeof value === 'string' && /^\d{1,12}(\.\d{1,9})?$/.test(value) ? Number(value) : numberOf(value)
