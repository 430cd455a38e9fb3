/** The order in which a call tries its candidates and their keys. */

import {
  allowsCall,
  allowsTrial,
  apiFor,
  cooldownOf,
  inOrder,
  type RoutedChannel,
  withKeys,
} from '../../domain/routing/index.ts'
import { providerOf, type UpstreamApi } from '../../providers/index.ts'
import type { Call, Candidate, Target } from '../call.ts'
import { Fault } from '../errors/fault.ts'

/** Yields each candidate with each of its usable keys. When all circuits are open, yields at most one trial. */
export function* targetsOf(candidates: readonly Candidate[], call: Call): Generator<Target> {
  const { model } = call.facts
  let any_closed = false
  for (const candidate of inOrder(candidates, model)) {
    const { channel } = candidate
    for (const key of rotatedKeys(channel)) {
      const api = allowsCall({ channel, key, model }) && apiByKey(call, candidate, key)
      if (!api) continue
      any_closed = true
      yield { channel, api, key, model }
    }
  }
  if (any_closed) return
  const trial = trialOf(candidates, call)
  if (trial) yield trial
}

/** @returns undefined while no target may be tried */
function trialOf(candidates: readonly Candidate[], call: Call): Target | undefined {
  for (const target of withKeys(candidates, call.facts.model)) {
    const api = allowsTrial(target) && apiByKey(call, target, target.key)
    if (api) return { ...target, api }
  }
}

/** Another key of a channel may be served by another variant of its provider, or by none. */
function apiByKey(call: Call, { channel, api }: Candidate, key: string): UpstreamApi | undefined {
  if (channel.good_keys.length < 2 || !providerOf(channel.type)?.variant) return api
  return apiFor(channel, call, key)
}

/** The Fault when all circuits are open and no trial is allowed, with the shortest cooldown. */
export function allCoolingDown(candidates: readonly Candidate[], { facts }: Call): Fault {
  const cooldowns = withKeys(candidates, facts.model).map(target => cooldownOf(target) ?? noCooldown)
  if (!cooldowns.length) return new Fault({ status: 503, code: 'relay.channel_unfit', retry: false })
  const shortest = cooldowns.reduce((least, cooldown) => (cooldown.seconds < least.seconds ? cooldown : least))
  const seconds = Math.max(1, shortest.seconds)
  const fields = shortest.by_provider
    ? ({ status: 429, code: 'relay.upstream_saturated' } as const)
    : ({ status: 503, code: 'relay.channels_resting' } as const)
  return new Fault({
    ...fields,
    params: { model: facts.model, seconds },
    retry: false,
    retry_after_ms: seconds * MS_PER_SECOND,
    overloaded: !shortest.by_provider,
  })
}

const MS_PER_SECOND = 1000
const noCooldown = { seconds: 0, by_provider: false }

/** How often each channel's keys have rotated, by channel id. */
const rotations = new Map<number, number>()

function rotatedKeys({ id, good_keys }: RoutedChannel): string[] {
  if (good_keys.length < 2) return good_keys
  const rotation = rotations.get(id) ?? 0
  rotations.set(id, rotation + 1)
  const start = rotation % good_keys.length
  return [...good_keys.slice(start), ...good_keys.slice(0, start)]
}
