/** What calls find out about channels and their keys: counted, rested on, and acted on. Never waits, never throws. */
import type { Cooldown } from '../../../contracts/channel.ts'
import type { MessageKey } from '../../../locales/index.ts'
import type { RoutedChannel } from '../routing/routing-table.ts'
import { disableKey } from './auto-disable.ts'
import * as breaker from './breaker.ts'
import { countOutcome, runInBackground } from './hourly.ts'

/** A channel, with the key that is used this time. */
export interface Target {
  channel: RoutedChannel
  key: string
}

/** With several keys, each rests for itself. */
const hasSeveral = ({ keys }: RoutedChannel) => keys.length > 1
const channelLine = ({ channel }: Target) => breaker.circuitKey(channel.id)
const linesOf = (way: Target) =>
  hasSeveral(way.channel) ? [channelLine(way), breaker.circuitKey(way.channel.id, way.key)] : [channelLine(way)]

/** Whether a call may go this way now. */
export const allowsCall = (way: Target): boolean => breaker.allClosed() || linesOf(way).every(breaker.allowsCall)

/** Whether a call that finds every way resting may try this one. */
export const allowsTrial = (way: Target): boolean => linesOf(way).every(breaker.allowsTrial)

/** How long nothing can go this way, and why. */
export const cooldownOf = (way: Target) =>
  linesOf(way)
    .flatMap(line => breaker.cooldownOf(line) ?? [])
    .reduce((longer, rest) => (rest.seconds > longer.seconds ? rest : longer), noRest)

const noRest = { reason: '', seconds: 0, asked: false }

export function recordStart(way: Target) {
  if (!breaker.allClosed()) linesOf(way).forEach(breaker.recordStart)
}

/** The answer begins. Its end is told by `noteEnd`. */
export function recordResponse(way: Target) {
  if (breaker.allClosed()) return
  breaker.recordResponse(channelLine(way))
  if (hasSeveral(way.channel)) breaker.recordSuccess(breaker.circuitKey(way.channel.id, way.key))
}

export function recordEnd({ id }: RoutedChannel, ok: boolean) {
  countOutcome(id, ok)
  if (ok) breaker.recordSuccess(breaker.circuitKey(id))
  else breaker.recordFailure(breaker.circuitKey(id), { reason: 'channel.rest_broke_off' satisfies MessageKey })
}

/** The caller has left, or asked for what no channel would do: that is nobody's failure. */
export const endTrial = (way: Target) => linesOf(way).forEach(breaker.endTrial)

export interface AttemptFailure {
  reason: string
  /** Another key of the same channel may do better. */
  of_key: boolean
  /** Seconds for which the provider wants to be left alone. */
  retry_after?: number
  /** The key, or the account behind it, is beyond hope. */
  fatal: boolean
  /** Whether a channel that does so again and again should rest. */
  trips_breaker: boolean
}

export function recordFailure(way: Target, { reason, of_key, retry_after, fatal, trips_breaker }: AttemptFailure) {
  const { channel, key } = way
  countOutcome(channel.id, false)
  endTrial(way)
  const isKeys = of_key && hasSeveral(channel)
  const line = isKeys ? breaker.circuitKey(channel.id, key) : breaker.circuitKey(channel.id)
  if (trips_breaker) breaker.recordFailure(line, { reason, retry_after, at_once: isKeys })
  if (fatal) runInBackground(disableKey(channel, key, reason))
}

/** How long a channel takes no calls at all: it rests, or all its keys do. */
export function cooldownOfChannel(channel: RoutedChannel): Cooldown | undefined {
  const rests = channel.good_keys.map(key => cooldownOf({ channel, key }))
  if (!rests.length) return undefined
  const { reason, seconds } = rests.reduce((shorter, rest) => (rest.seconds < shorter.seconds ? rest : shorter))
  return seconds ? { reason, seconds } : undefined
}
