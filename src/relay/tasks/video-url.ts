/** The address under which a client finds the file of a video. */
import { option } from '../../domain/options/index.ts'
import type { TaskRow } from '../../domain/tasks/index.ts'
import { objectOf, textOf } from '../../formats/json/lenient-json.ts'
import type { VideoResult } from '../../formats/videos/states.ts'
import type { RelayContext } from '../endpoint.ts'

/**
 * That of the maker where it needs no key, else that of the content here, which asks for the client's key.
 * @returns undefined for a video that is not there
 */
export function videoUrl({ request }: RelayContext, task: TaskRow): string | undefined {
  if (task.status !== 'SUCCESS') return undefined
  const { url, needs_key } = objectOf<VideoResult>(task.result)
  const address = textOf(url)
  const isHere = task.kept !== null || needs_key || /^data:/i.test(address) || address.includes(task.upstream_id)
  return address && !isHere
    ? address
    : `${option('ServerAddress') || new URL(request.url).origin}/v1/videos/${task.task_id}/content`
}
