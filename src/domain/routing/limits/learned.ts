/** Limits that makers report in the headers of their responses: a target without any remaining is full until its reset. */
import type { MetChannelLimit } from '../../../contracts/channel-limits.ts'
import { now_ms } from '../../../process/clock.ts'
import { store } from '../../../process/stores.ts'
import { upstreamModel } from '../routed-channel.ts'
import type { Target } from '../target.ts'

/** Later resets are believed up to here: a maker that errs is asked again. */
export const LEARNED_RESET_MAX_MS = 600_000
/** The names of models come with calls: past this number the oldest place is forgotten. */
const LEARNED_MAX = 10_000

/** The end of the limit in ms since 1970, by channel, key and model. */
const learned = store('learned-limits', new Map<string, number>())

type LimitTarget = Pick<Target, 'channel' | 'key' | 'model'>

const idOf = ({ channel, key, model }: LimitTarget) => `${channel.id}\0${key}\0${upstreamModel(channel, model)}`

/** @param ms until the reset */
export function noteFull(target: LimitTarget, ms: number) {
  const [oldest] = learned.size < LEARNED_MAX ? [] : learned.keys()
  if (oldest !== undefined) learned.delete(oldest)
  learned.set(idOf(target), now_ms() + Math.min(ms, LEARNED_RESET_MAX_MS))
}

/** @returns undefined while the target has room, as far as its maker reports */
export function learnedLimit(target: LimitTarget): MetChannelLimit | undefined {
  if (!learned.size) return undefined
  const id = idOf(target)
  const ms = (learned.get(id) ?? 0) - now_ms()
  // One that is longer than the maximum means that the clock was set back.
  if (ms > 0 && ms <= LEARNED_RESET_MAX_MS) return { measure: 'maker', scope: 'model', seconds: Math.ceil(ms / 1000) }
  learned.delete(id)
  return undefined
}
