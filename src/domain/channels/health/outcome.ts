/** What calls find out about channels and their keys: counted, rested on, and acted on. Never waits, never throws. */
import type { Rest } from '../../../contracts/channel.ts'
import type { Sentence } from '../../../locales/index.ts'
import type { ReadyChannel } from '../routing/routing-table.ts'
import { closeKey } from './auto-disable.ts'
import * as breaker from './breaker.ts'
import { noteOutcome, thenDone } from './hourly.ts'

/** A channel, with the key that is used this time. */
export interface Way {
  channel: ReadyChannel
  key: string
}

/** With several keys, each rests for itself. */
const hasSeveral = ({ keys }: ReadyChannel) => keys.length > 1
const channelLine = ({ channel }: Way) => breaker.lineTo(channel.id)
const linesOf = (way: Way) =>
  hasSeveral(way.channel) ? [channelLine(way), breaker.lineTo(way.channel.id, way.key)] : [channelLine(way)]

/** Whether a call may go this way now. */
export const isOpen = (way: Way): boolean => breaker.allIsWell() || linesOf(way).every(breaker.isReady)

/** Whether a call that finds every way resting may try this one. */
export const mayTry = (way: Way): boolean => linesOf(way).every(breaker.mayTry)

/** How long nothing can go this way, and why. */
export const restOf = (way: Way) =>
  linesOf(way)
    .flatMap(line => breaker.restNow(line) ?? [])
    .reduce((longer, rest) => (rest.seconds > longer.seconds ? rest : longer), noRest)

const noRest = { reason: '', seconds: 0, asked: false }

export function setsOut(way: Way) {
  if (!breaker.allIsWell()) linesOf(way).forEach(breaker.begins)
}

/** The answer begins. Its end is told by `noteEnd`. */
export function noteAnswer(way: Way) {
  if (breaker.allIsWell()) return
  breaker.answers(channelLine(way))
  if (hasSeveral(way.channel)) breaker.recovers(breaker.lineTo(way.channel.id, way.key))
}

export function noteEnd({ id }: ReadyChannel, ok: boolean) {
  noteOutcome(id, ok)
  if (ok) breaker.recovers(breaker.lineTo(id))
  else breaker.fails(breaker.lineTo(id), { reason: 'channel.rest_broke_off' satisfies Sentence })
}

/** The caller has left, or asked for what no channel would do: that is nobody's failure. */
export const noteNothing = (way: Way) => linesOf(way).forEach(breaker.tellsNothing)

export interface Failure {
  reason: string
  /** Another key of the same channel may do better. */
  of_key: boolean
  /** Seconds for which the provider wants to be left alone. */
  retry_after?: number
  /** The key, or the account behind it, is beyond hope. */
  fatal: boolean
  /** Whether a channel that does so again and again should rest. */
  tires: boolean
}

export function noteFailure(way: Way, { reason, of_key, retry_after, fatal, tires }: Failure) {
  const { channel, key } = way
  noteOutcome(channel.id, false)
  noteNothing(way)
  const isKeys = of_key && hasSeveral(channel)
  const line = isKeys ? breaker.lineTo(channel.id, key) : breaker.lineTo(channel.id)
  if (tires) breaker.fails(line, { reason, retry_after, at_once: isKeys })
  if (fatal) thenDone(closeKey(channel, key, reason))
}

/** How long a channel takes no calls at all: it rests, or all its keys do. */
export function restOfChannel(channel: ReadyChannel): Rest | undefined {
  const rests = channel.good_keys.map(key => restOf({ channel, key }))
  if (!rests.length) return undefined
  const { reason, seconds } = rests.reduce((shorter, rest) => (rest.seconds < shorter.seconds ? rest : shorter))
  return seconds ? { reason, seconds } : undefined
}
