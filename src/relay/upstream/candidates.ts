/** Which channels to try, and in which order. */

import { ChannelStatus } from '../../contracts/channel.ts'
import { Refusal } from '../../contracts/refusal.ts'
import {
  allowsCall,
  allowsTrial,
  channelById,
  cooldownOf,
  type RoutedChannel,
  candidates as serving,
} from '../../domain/channels/index.ts'
import type { ApiCaller, Call, Target } from '../call.ts'
import { Fault } from '../errors/fault.ts'
import { apiFor } from './choose-format.ts'

/** @throws Refusal 503 when no channel serves the model to the group; 400 or 403 for a chosen channel that cannot be used. */
export async function candidates(call: Call, { group, channel_id }: ApiCaller): Promise<RoutedChannel[]> {
  if (channel_id !== undefined) return [await chosen(channel_id)]
  const { model } = call.facts
  const channels = await serving(group, model)
  if (!channels.length) throw new Refusal('relay.no_channel', { model, group }, 503)
  const fitting = only(channels, channel => apiFor(channel, call) !== undefined)
  if (!fitting.length) throw new Refusal('relay.channel_unfit', {}, 503)
  // The prompt is only estimated: where it fits nowhere, the upstream itself is to say so.
  const roomy = only(fitting, ({ max_input_tokens }) => !max_input_tokens || call.prompt_tokens <= max_input_tokens)
  return roomy.length ? roomy : fitting
}

/** Mostly it is all of them. */
const only = (channels: RoutedChannel[], fits: (channel: RoutedChannel) => boolean) =>
  channels.every(fits) ? channels : channels.filter(fits)

async function chosen(id: number): Promise<RoutedChannel> {
  const channel = await channelById(id)
  if (!channel) throw new Refusal('relay.channel_missing', { id }, 400)
  if (channel.status !== ChannelStatus.enabled) throw new Refusal('relay.channel_disabled', { id }, 403)
  return channel
}

/** Each channel once, with one key, then with its other good keys: whoever takes turns decides how many. */
export function* targetsOf(channels: RoutedChannel[]): Generator<Target> {
  let open = false
  for (const channel of inOrder(channels)) {
    for (const key of keysInTurn(channel)) {
      if (!allowsCall({ channel, key })) continue
      open = true
      yield { channel, key }
    }
  }
  if (open) return
  // Everything rests. Rather than refuse a call unheard, it may be the one that finds out that a rest is over.
  const last = ways(channels).find(allowsTrial)
  if (last) yield last
}

/** When everything rests and nothing may be tried: until when. */
export function allCoolingDown(channels: RoutedChannel[], call: Call): Fault {
  const rests = ways(channels).map(cooldownOf)
  if (!rests.length) return new Fault({ status: 503, code: 'relay.channel_unfit', retry: false })
  const soonest = rests.reduce((sooner, rest) => (rest.seconds < sooner.seconds ? rest : sooner))
  const seconds = Math.max(1, soonest.seconds)
  const params = { model: call.facts.model, seconds }
  const what = soonest.asked
    ? ({ status: 429, code: 'relay.upstream_saturated' } as const)
    : ({ status: 503, code: 'relay.channels_resting' } as const)
  return new Fault({ ...what, params, retry: false, retry_after: String(seconds) })
}

const ways = (channels: RoutedChannel[]): Target[] =>
  channels.flatMap(channel => channel.good_keys.map(key => ({ channel, key })))

/** The highest priority first; within one, by lot and weight. Those that rest are left out as long as they do. */
function* inOrder(channels: readonly RoutedChannel[]): Generator<RoutedChannel> {
  if (channels.length === 1) return yield channels[0]!
  const left = [...channels]
  for (let open = left.filter(hasWay); open.length; open = left.filter(hasWay)) {
    const highest = open.reduce((most, channel) => Math.max(most, channel.priority), Number.NEGATIVE_INFINITY)
    const drawn = draw(open.filter(channel => channel.priority === highest))
    left.splice(left.indexOf(drawn), 1)
    yield drawn
  }
}

const hasWay = (channel: RoutedChannel) => channel.good_keys.some(key => allowsCall({ channel, key }))

/** In proportion to the weights: none is drawn at weight 0, unless all that are left have it. */
function draw(tier: RoutedChannel[]): RoutedChannel {
  const sum = tier.reduce((total, channel) => total + channel.weight, 0)
  if (!sum) return tier[Math.floor(Math.random() * tier.length)]!
  let lot = Math.random() * sum
  return tier.find(({ weight }) => {
    lot -= weight
    return lot < 0
  })!
}

/** How often each channel's keys have moved on. */
const moves = new Map<number, number>()

function keysInTurn({ id, good_keys }: RoutedChannel): string[] {
  if (good_keys.length < 2) return good_keys
  const move = moves.get(id) ?? 0
  moves.set(id, move + 1)
  const start = move % good_keys.length
  return [...good_keys.slice(start), ...good_keys.slice(0, start)]
}
