/** Deletes a video at its maker. */
import { sendBeside } from '../../domain/routing/index.ts'
import { makerOf, type TaskRow } from '../../domain/tasks/index.ts'
import { NetworkError } from '../../net/upstream-fetch.ts'
import { faultOfNetworkError, unusableResponse } from '../errors/classify-error.ts'

const REMOVE_TIMEOUT_MS = 15_000
const isGone = (status: number) => status === 404 || status === 410

/** Where the maker can delete. A task that failed before it was accepted has none. @throws Fault where it does not */
export async function removeAtMaker(task: TaskRow) {
  if (!task.upstream_id) return
  const abort = new AbortController()
  const maker = await makerOf(task, abort)
  const request = maker?.video.remove?.(task.upstream_id, maker.sender.config)
  if (!request) return
  const response = await sendBeside(request, maker!.sender, REMOVE_TIMEOUT_MS).catch(error => {
    throw error instanceof NetworkError ? faultOfNetworkError(error) : error
  })
  abort.abort()
  if (!response.ok && !isGone(response.status)) throw unusableResponse()
}
