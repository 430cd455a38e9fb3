/** Files of finished tasks, and their addresses on this site: they are signed, and need no key for a day. */
import type { TaskPlatform } from '../../contracts/task.ts'
import { isEqual, sign } from '../../crypto/sealing.ts'
import { objectOf, objectsOf, textOf } from '../../formats/json/lenient-json.ts'
import type { VideoResult } from '../../formats/videos/states.ts'
import { now } from '../../process/clock.ts'
import { option } from '../options/index.ts'
import type { TaskRow } from './table.ts'

export type FileKind = 'image' | 'audio' | 'video'

export interface TaskFile {
  /** Such as `video` or `audio-1`: unique within the task, and a part of the address. */
  name: string
  kind: FileKind
  /** The maker's address, or a data URL; absent where the maker is asked for it. */
  url?: string
}

/** What is needed of a row to know its files. */
export type TaskWithFiles = Pick<TaskRow, 'task_id' | 'platform' | 'result'>

/** Of a task that is unfinished, those that are there already. */
export const filesOf = ({ platform, result }: Pick<TaskRow, 'platform' | 'result'>): TaskFile[] =>
  filesIn[platform](result)

export const fileNamed = (task: Pick<TaskRow, 'platform' | 'result'>, name: string): TaskFile | undefined =>
  filesOf(task).find(file => file.name === name)

const filesIn: Record<TaskPlatform, (result: unknown) => TaskFile[]> = {
  midjourney: drawingFiles,
  suno: songFiles,
  video: videoFiles,
}

function drawingFiles(result: unknown): TaskFile[] {
  const { imageUrl, videoUrl, videoUrls } = objectOf<Record<'imageUrl' | 'videoUrl' | 'videoUrls', unknown>>(result)
  const videos = [...new Set([videoUrl, ...objectsOf<{ url: string }>(videoUrls).map(({ url }) => url)])]
  return [...present('image', 'image', imageUrl), ...videos.flatMap((url, at) => present(`video-${at}`, 'video', url))]
}

/** Each song has a cover, a sound, and maybe a video. */
function songFiles(result: unknown): TaskFile[] {
  const songs = objectsOf<Record<'audio_url' | 'video_url' | 'image_url' | 'image_large_url', string>>(result)
  return songs.flatMap(({ audio_url, video_url, image_url, image_large_url }, at) => [
    ...present(`audio-${at}`, 'audio', audio_url),
    ...present(`video-${at}`, 'video', video_url),
    ...present(`cover-${at}`, 'image', textOf(image_large_url) || image_url),
  ])
}

function videoFiles(result: unknown): TaskFile[] {
  const { url, file_id, cover_url } = objectOf<VideoResult>(result)
  const video = present('video', 'video', url)
  const asked: TaskFile[] = file_id ? [{ name: 'video', kind: 'video' }] : []
  return [...(video.length ? video : asked), ...present('thumbnail', 'image', cover_url)]
}

/** @returns nothing for what is no address */
const present = (name: string, kind: FileKind, url: unknown): TaskFile[] =>
  /^(?:https?:\/\/|data:)/i.test(textOf(url)) ? [{ name, kind, url: textOf(url) }] : []

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3600

/** Of the same hour, one address: lists that are shown again load no file again. */
const expiryOf = (at: number) => Math.floor(at / HOUR_SECONDS) * HOUR_SECONDS + DAY_SECONDS

const signatureOf = (task_id: string, name: string, expires: number) =>
  sign('file of a task', `${task_id} ${name} ${expires}`)

const signed = (task_id: string, name: string, at: number) => {
  const expires = expiryOf(at)
  return `expires=${expires}&signature=${signatureOf(task_id, name, expires)}`
}

/**
 * A path of this site, with its signature.
 * @param name of the file
 * @param at unix seconds from which it holds, for 23 to 24 hours
 */
export const fileAddressOf = ({ task_id }: Pick<TaskRow, 'task_id'>, name: string, at = now()): string =>
  `/v1/tasks/${task_id}/files/${name}?${signed(task_id, name, at)}`

/** Address of a drawing's picture, as its clients know it. @param site in place of `ServerAddress` where that is empty */
export const pictureAddressOf = ({ task_id }: Pick<TaskRow, 'task_id'>, site = ''): string =>
  `${option('ServerAddress') || site}/mj/image/${task_id}?${signed(task_id, 'image', now())}`

/** Whether this site has signed the address of the file, and its day is not over. */
export function isFileAddress(task_id: string, name: string, query: URLSearchParams): boolean {
  const expires = Number(query.get('expires') ?? 0)
  return isEqual(query.get('signature'), signatureOf(task_id, name, expires)) && expires > now()
}
