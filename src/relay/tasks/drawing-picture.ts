/** The picture of a drawing, for its owner: with a key, a session, or an address that this site has signed. */
import {
  filesOf,
  isFileAddress,
  type TaskRow,
  taskOf,
  taskOfAnyone,
  tasksByUpstreamId,
} from '../../domain/tasks/index.ts'
import { refusal } from '../../formats/midjourney/api-error.ts'
import type { RelayContext } from '../endpoint.ts'
import { inMakersWords } from './origin-task.ts'
import { fileResponse, ownerFor } from './task-file.ts'

/** @throws Fault 404 for an unknown drawing, and one without a picture; 502 for what is none */
export async function showPicture(context: RelayContext): Promise<Response> {
  const task = await drawingFor(context)
  const picture = task && filesOf(task).find(({ name }) => name === 'image')
  if (!picture) throw inMakersWords({ ...refusal('task_not_found'), status: 404 })
  return fileResponse(context, task, picture)
}

async function drawingFor({ request, params, ...context }: RelayContext): Promise<TaskRow | undefined> {
  const id = params.id!
  if (isFileAddress(id, 'image', new URL(request.url).searchParams)) return ofMidjourney(await taskOfAnyone(id))
  const owned = { user_id: await ownerFor({ request, params, ...context }), platform: 'midjourney' as const }
  const [task] = await tasksByUpstreamId(owned, [id])
  return task ?? taskOf(owned, id)
}

const ofMidjourney = (task: TaskRow | undefined) => (task?.platform === 'midjourney' ? task : undefined)
