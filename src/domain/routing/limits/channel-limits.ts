/** Which limits a call falls under at a target: those of the channel, of its key, and of the model at that key. */
import {
  isLimit,
  isModelLimits,
  type LimitScope,
  type Limits,
  type ModelLimits,
  measures,
} from '../../../contracts/channel-limits.ts'
import { digest } from '../../../crypto/sealing.ts'
import { type ChannelSetting, type RoutedChannel, upstreamModel } from '../routed-channel.ts'
import type { Target } from '../target.ts'

export interface ChannelLimits {
  channel: Limits | undefined
  key: Limits | undefined
  models: ModelLimits
}

const known = new WeakMap<ChannelSetting, ChannelLimits | false>()

/** @returns `false` for a channel without limits */
export function limitsOf({ setting }: Pick<RoutedChannel, 'setting'>): ChannelLimits | false {
  const limits = known.get(setting)
  if (limits !== undefined) return limits
  const read = parsed(setting)
  known.set(setting, read)
  return read
}

function parsed(setting: ChannelSetting): ChannelLimits | false {
  const { rpm, tpm, concurrency, key_rpm, key_tpm, key_concurrency, model_limits } = setting
  const channel = setOf({ rpm, tpm, concurrency })
  const key = setOf({ rpm: key_rpm, tpm: key_tpm, concurrency: key_concurrency })
  const models = isModelLimits(model_limits) ? model_limits : {}
  return channel || key || Object.values(models).some(setOf) ? { channel, key, models } : false
}

/** What was stored by other means than a form may be no limit. */
function setOf(limits: Limits): Limits | undefined {
  const set = measures.filter(name => isLimit(limits[name]) && limits[name]! > 0)
  return set.length ? Object.fromEntries(set.map(name => [name, limits[name]])) : undefined
}

export interface LimitedPlace {
  scope: LimitScope
  limits: Limits
  /** Unique among all places. */
  name: string
}

type LimitTarget = Pick<Target, 'channel' | 'key' | 'model'>

/** @param limits of the channel */
export function placesOf({ channel, key, model }: LimitTarget, limits: ChannelLimits): LimitedPlace[] {
  const places: LimitedPlace[] = []
  const id = String(channel.id)
  if (limits.channel) places.push({ scope: 'channel', limits: limits.channel, name: id })
  const name = upstreamModel(channel, model)
  const own = Object.hasOwn(limits.models, name) ? setOf(limits.models[name]!) : undefined
  if (!limits.key && !own) return places
  const of_key = `${id} ${digest(key)}`
  if (limits.key) places.push({ scope: 'key', limits: limits.key, name: of_key })
  if (own) places.push({ scope: 'model', limits: own, name: `${of_key} ${name}` })
  return places
}
