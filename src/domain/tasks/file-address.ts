/** Addresses of the files of tasks on this site: they are signed, and need no key for a day. */
import type { TaskFile } from '../../contracts/task.ts'
import { isEqual, sign } from '../../crypto/sealing.ts'
import { now } from '../../process/clock.ts'
import { taskFiles } from '../../providers/index.ts'
import { option } from '../options/index.ts'
import type { TaskRow } from './table.ts'

/** Of a task that is unfinished, those that are there already. */
export const filesOf = ({ platform, result }: Pick<TaskRow, 'platform' | 'result'>): TaskFile[] =>
  taskFiles[platform](result)

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
