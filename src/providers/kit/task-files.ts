/** Files in the results of tasks. */
import type { FileKind, TaskFile, TaskPlatform } from '../../contracts/task.ts'
import { objectOf, objectsOf, textOf } from '../../formats/json/lenient-json.ts'
import type { VideoResult } from '../../formats/videos/states.ts'

/** @param result as the upstream tells it, or nothing */
export const taskFiles: Record<TaskPlatform, (result: unknown) => TaskFile[]> = {
  midjourney: drawingFiles,
  suno: songFiles,
  video: videoFiles,
  image: pictureFiles,
}

function drawingFiles(result: unknown): TaskFile[] {
  const { imageUrl, videoUrl, videoUrls } = objectOf<Record<'imageUrl' | 'videoUrl' | 'videoUrls', unknown>>(result)
  const videos = [...new Set([videoUrl, ...objectsOf<{ url: string }>(videoUrls).map(({ url }) => url)])]
  return [...present('image', 'image', imageUrl), ...videos.flatMap((url, at) => present(`video-${at}`, 'video', url))]
}

/** Each song has a sound, a cover, and maybe a video. */
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

function pictureFiles(result: unknown): TaskFile[] {
  const pictures = objectsOf<Record<'url' | 'b64_json', string>>(objectOf<{ data: unknown }>(result).data)
  return pictures.flatMap(({ url, b64_json }, at) =>
    present(`image-${at}`, 'image', b64_json ? `data:image/png;base64,${b64_json}` : url),
  )
}

/** @returns nothing for what is no address */
const present = (name: string, kind: FileKind, url: unknown): TaskFile[] =>
  /^(?:https?:\/\/|data:)/i.test(textOf(url)) ? [{ name, kind, url: textOf(url) }] : []
