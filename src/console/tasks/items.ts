/** Tasks as pages show them. */
import type { TaskDetail, TaskItem } from '../../../views/tasks/task.ts'
import type { TaskRow } from '../../domain/tasks/index.ts'
import type { NamedTask } from './entries.ts'
import { picturePath, videoPath } from './files.ts'
import { buttonNames, drawingIn, lyricsIn, promptIn, rawText, songsIn, videoIn, videosOf } from './results.ts'

export function itemOf({ task, username, channel_name }: NamedTask): TaskItem {
  const { id, task_id, upstream_id, platform, action, model, status, progress, fail_reason, result } = task
  const { submit_ms, start_ms, finish_ms, charged, refunded, input, channel_id, deleted_ms } = task
  const isDrawing = platform === 'midjourney'
  const told = drawingIn(isDrawing ? result : {})
  return {
    ...{ id, task_id, platform, action, model, status, progress, fail_reason },
    ...{ submit_ms, start_ms, finish_ms, charged, refunded, username, channel_id, channel_name },
    mj_id: isDrawing ? upstream_id : '',
    prompt: told.prompt || promptIn(input),
    prompt_en: told.promptEn,
    is_deleted: deleted_ms > 0,
  }
}

/** @param whole with what administrators alone see */
export function detailOf(named: NamedTask, row: TaskRow, whole: boolean): TaskDetail {
  const { result, request_id, group, origin_id, price_basis, node, upstream_id, maker_cost_usd, deadline_ms } = row
  const item = itemOf(named)
  const isVideo = row.platform === 'video'
  const told = drawingIn(row.platform === 'midjourney' ? result : {})
  const video = videoIn(isVideo && row.status === 'SUCCESS' ? result : {})
  return {
    ...item,
    ...{ request_id, group, origin_id, price_basis, description: told.description, links: told.urls },
    picture: picturePath(row, told.imageUrl),
    buttons: buttonNames(told),
    songs: songsIn(row.platform === 'suno' ? result : undefined),
    lyrics: row.platform === 'suno' ? lyricsIn(result) : undefined,
    videos: [
      ...videosOf(told).map(src => ({ src, poster: '' })),
      ...(isVideo && row.status === 'SUCCESS'
        ? [{ src: videoPath(row, video.url, video.needs_key), poster: video.cover_url }]
        : []),
    ],
    raw: result === null ? '' : rawText(result),
    operations: whole
      ? {
          ...{ node, upstream_id, cost_usd: maker_cost_usd ?? undefined, deadline_ms },
          is_unknown: row.outcome_unknown,
        }
      : undefined,
  }
}
