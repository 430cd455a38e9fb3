/** A video of the caller, by the id in the path. */
import { Refusal } from '../../contracts/refusal.ts'
import { type TaskRow, taskOf } from '../../domain/tasks/index.ts'
import type { RelayContext } from '../endpoint.ts'
import { authenticate } from '../request/authenticate.ts'

/** @throws Refusal for an unknown id, and for that of another user */
export async function ownVideo(context: RelayContext, id = context.params.id!, status = 404): Promise<TaskRow> {
  const { user } = await authenticate(context)
  const task = await taskOf({ user_id: user.id, platform: 'video' }, id)
  if (!task) throw new Refusal('relay.task_not_exist', {}, status, 'id')
  return task
}
