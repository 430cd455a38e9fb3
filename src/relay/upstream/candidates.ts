/** The channels that can serve a call. */

import { ChannelStatus } from '../../contracts/channel.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { apiFor, channelById, isListed, type RoutedChannel, candidates as routed } from '../../domain/routing/index.ts'
import type { ApiCaller, Call, Candidate } from '../call.ts'

/**
 * @throws Refusal 404 when no channel of the group lists the model, 503 when none that does can serve the call now, 400
 * or 403 for a channel named in the key that is missing or disabled
 */
export async function candidates(call: Call, { group, channel_id }: ApiCaller): Promise<Candidate[]> {
  const { model } = call.facts
  const channels = channel_id === undefined ? await routed(group, model) : [await namedChannel(channel_id)]
  if (!channels.length) throw await notServed(group, model)
  const able = withApi(channels, call)
  if (!able.length) throw notHere(call)
  if (channel_id !== undefined) return able
  // The prompt is only estimated: when it fits no channel's limit, the upstream decides.
  const large_enough = able.filter(({ channel }) => mayTake(channel, call.prompt_tokens))
  return large_enough.length ? large_enough : able
}

async function notServed(group: string, model: string): Promise<Refusal> {
  if (await isListed(group, model)) return new Refusal('relay.no_channel', { model, group }, 503)
  return new Refusal('relay.model_not_found', { model }, 404, 'model')
}

/** Where the maker's API has no such path, no repetition of the call will find it. */
const notHere = ({ endpoint, path }: Call): Refusal =>
  endpoint.below === undefined
    ? new Refusal('relay.channel_unfit', {}, 503)
    : new Refusal('error.invalid_url', { method: 'POST', path }, 404)

const mayTake = ({ max_input_tokens }: RoutedChannel, tokens: number) => !max_input_tokens || tokens <= max_input_tokens

function withApi(channels: readonly RoutedChannel[], call: Call): Candidate[] {
  const able: Candidate[] = []
  for (const channel of channels) {
    const api = apiFor(channel, call)
    if (api) able.push({ channel, api })
  }
  return able
}

async function namedChannel(id: number): Promise<RoutedChannel> {
  const channel = await channelById(id)
  if (!channel) throw new Refusal('relay.channel_missing', { id }, 400)
  if (channel.status !== ChannelStatus.enabled) throw new Refusal('relay.channel_disabled', { id }, 403)
  return channel
}
