/** How full the limits of channels are, for pages: of other nodes, what was last seen of them. */
import { usedOf } from '../../../cluster/limits.ts'
import type { LimitReading, MetChannelLimit } from '../../../contracts/channel-limits.ts'
import { maskKey } from '../channel-keys.ts'
import type { RoutedChannel } from '../routed-channel.ts'
import type { Target } from '../target.ts'
import { limitsOf, placesOf } from './channel-limits.ts'
import { learnedLimit } from './learned.ts'
import { rulesOf } from './windows.ts'

/** The limit that stops a call at a target now. @returns undefined while it has room */
export function limitReached(target: Pick<Target, 'channel' | 'key' | 'model'>): MetChannelLimit | undefined {
  const learned = learnedLimit(target)
  if (learned) return learned
  const limits = limitsOf(target.channel)
  if (!limits) return undefined
  const found = rulesOf(placesOf(target, limits), 1).find(({ rule }) => usedOf(rule).used >= rule.count)
  if (!found) return undefined
  const { place, measure, rule } = found
  return { measure, scope: place.scope, seconds: usedOf(rule).wait, limit: rule.count }
}

/** Each limit of a channel: its own, then those of its keys and their models. */
export function readingsOfChannel(channel: RoutedChannel): LimitReading[] {
  const limits = limitsOf(channel)
  if (!limits) return []
  const readings = new Map<string, LimitReading>()
  const names = Object.keys(limits.models)
  for (const key of channel.good_keys) {
    for (const model of names.length ? names : ['']) {
      // The names of limits are those of the upstream.
      const target = { channel: { ...channel, model_mapping: {}, model_prefix: '' }, key, model }
      for (const { place, measure, rule } of rulesOf(placesOf(target, limits), 1))
        readings.set(`${place.name} ${measure}`, {
          ...{ scope: place.scope, measure, used: usedOf(rule).used, limit: rule.count },
          ...(place.scope !== 'channel' && { key: maskKey(key) }),
          ...(place.scope === 'model' && { model }),
        })
    }
  }
  return [...readings.values()].sort((one, other) => order.indexOf(one.scope) - order.indexOf(other.scope))
}

const order = ['channel', 'key', 'model']
