/** The origin task, which another one continues: that goes to the channel and key that made it, and to no other. */
import type { Candidate } from '../../domain/routing/index.ts'
import { isHeldUnder } from '../../domain/stored-objects/index.ts'
import type { TaskRow } from '../../domain/tasks/index.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import type { Json } from '../../pure/json.ts'
import { Fault } from '../errors/fault.ts'

export interface OriginTask extends Pick<TaskRow, 'task_id' | 'channel_id' | 'key_hash'> {
  /** The request, with the upstream's ids in place of ours. */
  body: Json
}

/** @throws Fault when its channel is disabled, or its key gone */
export function pinnedTo(origin: OriginTask | undefined, able: Candidate[]): Candidate[] {
  if (!origin) return able
  const pinned = able
    .filter(({ channel }) => channel.id === origin.channel_id)
    .flatMap(({ channel, api }) => {
      const key = channel.good_keys.find(key => isHeldUnder(origin, key))
      return key === undefined ? [] : { channel: { ...channel, good_keys: [key] }, api }
    })
  if (!pinned.length) throw inMakersWords(channelDisabled)
  return pinned
}

export const channelDisabled: ApiError = {
  ...{ status: 400, type: 'invalid_request_error', code: 'task_channel_disable' },
  ...{ message: 'the channel of the task is disabled', param: 'task_id' },
}

export const inMakersWords = (upstream_error: ApiError): Fault =>
  new Fault({ status: upstream_error.status, code: 'relay.task_refused', retry: false, upstream_error })
