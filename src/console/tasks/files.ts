/** Addresses of what tasks have made. */
import { option } from '../../domain/options/index.ts'
import { pictureAddressOf, picturePathOf, type TaskRow } from '../../domain/tasks/index.ts'

type Owned = Pick<TaskRow, 'task_id'>

/** For programs: whole. @param url of the upstream; empty for none */
export const pictureUrl = (task: Owned, url: string, site: string): string =>
  url && option('MjForwardUrlEnabled') ? pictureAddressOf(task, site) : url

/** For pages of this site. @param url of the upstream; empty for none */
export const picturePath = (task: Owned, url: string): string =>
  url && option('MjForwardUrlEnabled') ? picturePathOf(task) : url

/** The maker's address where a browser can load it, else the file here. */
export const videoPath = ({ task_id, upstream_id }: Pick<TaskRow, 'task_id' | 'upstream_id'>, url: string, needs_key: boolean) =>
  !needs_key && /^https:/i.test(url) && !(upstream_id && url.includes(upstream_id))
    ? url
    : `/v1/videos/${task_id}/content`
