/** Addresses of pictures on this site: they are signed, and need no key for a day. */
import { isEqual, sign } from '../../crypto/sealing.ts'
import { now } from '../../process/clock.ts'
import { option } from '../options/index.ts'
import type { TaskRow } from './table.ts'

const SECONDS = 86_400

const signatureOf = (task_id: string, expires: number) => sign('picture of a task', `${task_id} ${expires}`)

/** @param site in place of `ServerAddress` where that is empty */
export function pictureAddressOf({ task_id }: Pick<TaskRow, 'task_id'>, site = ''): string {
  const expires = now() + SECONDS
  return `${option('ServerAddress') || site}/mj/image/${task_id}?expires=${expires}&signature=${signatureOf(task_id, expires)}`
}

/** Whether this site has signed the address of the task, and its day is not over. */
export function isPictureAddress(task_id: string, query: URLSearchParams): boolean {
  const expires = Number(query.get('expires') ?? 0)
  return isEqual(query.get('signature'), signatureOf(task_id, expires)) && expires > now()
}
