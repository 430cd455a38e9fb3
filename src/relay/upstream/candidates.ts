/** The channels that can serve a call. */

import { ChannelStatus } from '../../contracts/channel.ts'
import { Refusal } from '../../contracts/refusal.ts'
import {
  type Candidate,
  channelById,
  isListed,
  type RoutedChannel,
  servingChannels,
  withApi,
  withinInputLimits,
} from '../../domain/routing/index.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import type { ReadCall } from '../call.ts'
import type { ApiCaller } from '../caller.ts'

/**
 * @throws Refusal 404 when no channel of the group lists the model, 503 when none that does can serve the call now, 400
 * or 403 for a channel named in the key that is missing or disabled
 */
export function candidates(call: ReadCall, { group, channel_id }: ApiCaller): Awaitable<Candidate[]> {
  if (channel_id !== undefined) return namedChannel(channel_id).then(channel => able([channel], call))
  const { model } = call.facts
  return chain(servingChannels(group, model), channels =>
    channels.length ? fitting(channels, call) : notServed(group, model),
  )
}

function fitting(channels: RoutedChannel[], call: ReadCall): Candidate[] {
  const { recorder } = call
  recorder.serving = channels
  const candidates = recorder.keep(able(channels, call), 'no_api')
  return recorder.keep(withinInputLimits(candidates, call.body_tokens), 'prompt_too_long')
}

function able(channels: RoutedChannel[], call: ReadCall): Candidate[] {
  const able = withApi(channels, call)
  if (!able.length) throw notHere(call)
  return able
}

async function notServed(group: string, model: string): Promise<never> {
  if (await isListed(group, model)) throw new Refusal('relay.no_channel', { model, group }, 503)
  throw new Refusal('relay.model_not_found', { model }, 404, 'model')
}

/** Where the maker's API has no such path, no repetition of the call will find it. */
const notHere = ({ endpoint, path }: ReadCall): Refusal =>
  endpoint.below === undefined
    ? new Refusal('relay.channel_unfit', {}, 503)
    : new Refusal('error.invalid_url', { method: 'POST', path }, 404)

async function namedChannel(id: number): Promise<RoutedChannel> {
  const channel = await channelById(id)
  if (!channel) throw new Refusal('relay.channel_missing', { id }, 400)
  if (channel.status !== ChannelStatus.enabled) throw new Refusal('relay.channel_disabled', { id }, 403)
  return channel
}
