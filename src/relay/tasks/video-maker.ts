/** The maker of a finished video: the channel and the key that made it, and no other. */
import {
  channelById,
  configOf,
  type RoutedChannel,
  routeOfChannel,
  type Sender,
  sendBeside,
  tasksApiOf,
  tokenFor,
} from '../../domain/routing/index.ts'
import { isHeldUnder } from '../../domain/stored-objects/index.ts'
import type { TaskRow } from '../../domain/tasks/index.ts'
import { NetworkError } from '../../net/upstream-fetch.ts'
import type { VideoUpstream } from '../../providers/index.ts'
import { faultOfNetworkError, unusableResponse } from '../errors/classify-error.ts'

export interface VideoMaker {
  video: VideoUpstream
  channel: RoutedChannel
  sender: Sender
}

/** @returns undefined where the channel, or its key, is gone. @throws NetworkError or CredentialRefused for a token */
export async function makerOf(task: TaskRow, abort: AbortController): Promise<VideoMaker | undefined> {
  const channel = await channelById(task.channel_id)
  const api = channel && tasksApiOf(channel, 'video')
  const key = channel?.keys.find(key => isHeldUnder(task, key))
  if (!channel || !api?.video || key === undefined) return undefined
  const route = routeOfChannel(channel)
  const own = configOf(channel, key)
  const config = { ...own, token: await tokenFor(api.provider!, own, route) }
  const { url } = api.video.ask(task.upstream_id, config)
  return { video: api.video, channel, sender: { url, provider: api.provider!, config, route, abort } }
}

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
