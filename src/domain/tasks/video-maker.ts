/** The maker of a finished video: the channel and the key that made it, and no other. */
import type { VideoUpstream } from '../../providers/index.ts'
import {
  channelById,
  configOf,
  type RoutedChannel,
  routeOfChannel,
  type Sender,
  tasksApiOf,
  tokenFor,
} from '../routing/index.ts'
import { isHeldUnder } from '../stored-objects/index.ts'
import type { TaskRow } from './table.ts'

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
