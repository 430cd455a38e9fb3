/** Which channels to try, and in which order. */
import { channelById, type ReadyChannel, candidates as serving } from '../console/channels/service.ts'
import { ChannelStatus } from '../contracts/channel.ts'
import { Refusal } from '../kit/refusal.ts'
import type { Call, Caller, Turn } from './call.ts'

/** @throws Refusal 503 when no channel serves the model to the group; 400 or 403 for a chosen channel that cannot be used. */
export async function candidates({ ask }: Call, { group, channel_id }: Caller): Promise<ReadyChannel[]> {
  if (channel_id !== undefined) return [await chosen(channel_id)]
  const channels = await serving(group, ask.model)
  if (!channels.length) throw new Refusal('relay.no_channel', { model: ask.model, group }, 503)
  return channels
}

async function chosen(id: number): Promise<ReadyChannel> {
  const channel = await channelById(id)
  if (!channel) throw new Refusal('relay.channel_missing', { id }, 400)
  if (channel.status !== ChannelStatus.enabled) throw new Refusal('relay.channel_disabled', { id }, 403)
  return channel
}

/** Each channel once, with one key, then with its other good keys: whoever takes turns decides how many. */
export function* turns(channels: ReadyChannel[]): Generator<Turn> {
  for (const channel of inOrder(channels)) for (const key of keysInTurn(channel)) yield { channel, key }
}

/** The highest priority first; within one, by lot and weight. */
export function* inOrder(channels: readonly ReadyChannel[]): Generator<ReadyChannel> {
  const left = [...channels]
  while (left.length) {
    const highest = left.reduce((most, channel) => Math.max(most, channel.priority), Number.NEGATIVE_INFINITY)
    const tier = left.filter(channel => channel.priority === highest)
    const drawn = draw(tier)
    left.splice(left.indexOf(drawn), 1)
    yield drawn
  }
}

/** In proportion to the weights: none is drawn at weight 0, unless all that are left have it. */
function draw(tier: ReadyChannel[]): ReadyChannel {
  const sum = tier.reduce((total, channel) => total + channel.weight, 0)
  if (!sum) return tier[Math.floor(Math.random() * tier.length)]!
  let lot = Math.random() * sum
  return tier.find(channel => (lot -= channel.weight) < 0) ?? tier.findLast(channel => channel.weight > 0)!
}

interface Ring {
  next: number
  bad: Set<string>
}

/** By the channel as it was read: a saved one starts anew, with all its keys good. */
const rings = new WeakMap<ReadyChannel, Ring>()

const ringOf = (channel: ReadyChannel): Ring => {
  const ring = rings.get(channel) ?? { next: 0, bad: new Set() }
  rings.set(channel, ring)
  return ring
}

/** Round-robin, past the keys that were refused. */
function keysInTurn(channel: ReadyChannel): string[] {
  const { keys } = channel
  if (keys.length < 2) return keys.length ? keys : ['']
  const ring = ringOf(channel)
  const start = ring.next++ % keys.length
  const good = [...keys.slice(start), ...keys.slice(0, start)].filter(key => !ring.bad.has(key))
  return good.length ? good : [keys[start]!]
}

/** Leaves a key out from now on. @returns whether it was the channel's last good one */
export function setAside(channel: ReadyChannel, key: string): boolean {
  const { bad } = ringOf(channel)
  bad.add(key)
  return channel.keys.every(other => bad.has(other))
}
