/** Tasks as pages show them. */
import type { TaskDetail, TaskItem } from '../../../views/tasks/task.ts'
import type { TaskRow } from '../../domain/tasks/index.ts'
import type { NamedTask } from './entries.ts'
import { filesFor } from './files.ts'
import { buttonNames, drawingIn, lyricsIn, promptIn, rawText } from './results.ts'

export function itemOf({ task, username, channel_name }: NamedTask): TaskItem {
  const { id, task_id, upstream_id, platform, action, model, status, progress, fail_reason, result } = task
  const { submit_ms, start_ms, finish_ms, charged, refunded, input, channel_id, user_id, deleted_ms } = task
  const isDrawing = platform === 'midjourney'
  const told = drawingIn(isDrawing ? result : {})
  return {
    ...{ id, task_id, platform, action, model, status, progress, fail_reason },
    ...{ submit_ms, start_ms, finish_ms, charged, refunded, user_id, username, channel_id, channel_name },
    mj_id: isDrawing ? upstream_id : '',
    prompt: told.prompt || promptIn(input),
    prompt_en: told.promptEn,
    is_deleted: deleted_ms > 0,
  }
}

/** @param whole with what administrators alone see */
export function detailOf(named: NamedTask, row: TaskRow, whole: boolean): TaskDetail {
  const { result, request_id, group, origin_id, price_basis, platform } = row
  const told = drawingIn(platform === 'midjourney' ? result : {})
  return {
    ...itemOf(named),
    ...{ request_id, group, origin_id, price_basis, description: told.description, links: told.urls },
    ...filesFor(row),
    buttons: buttonNames(told),
    lyrics: platform === 'suno' ? lyricsIn(result) : undefined,
    raw: result === null ? '' : rawText(result),
    operations: whole ? operationsOf(row) : undefined,
  }
}

const operationsOf = ({ node, upstream_id, maker_cost_usd, deadline_ms, outcome_unknown }: TaskRow) => ({
  ...{ node, upstream_id, cost_usd: maker_cost_usd ?? undefined, deadline_ms, is_unknown: outcome_unknown },
})
