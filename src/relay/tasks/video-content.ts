/** The file of a video, for its owner alone. */
import { Refusal } from '../../contracts/refusal.ts'
import type { TaskFile } from '../../contracts/task.ts'
import { filesOf } from '../../domain/tasks/index.ts'
import type { RelayContext } from '../endpoint.ts'
import { fileResponse, taskFor } from './task-file.ts'

const variants = new Set(['video', 'thumbnail', 'spritesheet'])

/** @throws Refusal 404 for an unknown video or file, 400 for an unfinished video; Fault 502 */
export async function videoContent(context: RelayContext): Promise<Response> {
  const variant = new URL(context.request.url).searchParams.get('variant') || 'video'
  const task = await taskFor(context, context.params.id!, variant)
  if (task?.platform !== 'video') throw new Refusal('relay.task_not_exist', {}, 404, 'id')
  if (!variants.has(variant)) throw new Refusal('relay.field_wrong', { field: 'variant' }, 400, 'variant')
  if (task.status === 'FAILURE') throw new Refusal('relay.task_unsuccessful', {}, 400, 'id')
  if (task.status !== 'SUCCESS') throw new Refusal('relay.task_unfinished', {}, 400, 'id')
  // Some makers hand out what their answers do not name.
  const unnamed: TaskFile = { name: variant, kind: variant === 'video' ? 'video' : 'image' }
  return fileResponse(context, task, filesOf(task).find(({ name }) => name === variant) ?? unnamed)
}
