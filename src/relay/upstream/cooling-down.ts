/** The failure of a call whose candidates all cool down. */
import { type Candidate, cooldownOf, withKeys } from '../../domain/routing/index.ts'
import type { Call } from '../call.ts'
import { Fault } from '../errors/fault.ts'

/** The Fault when all circuits are open and no trial is allowed, with the shortest cooldown. */
export function allCoolingDown(candidates: readonly Candidate[], { facts }: Call): Fault {
  const cooldowns = withKeys(candidates, facts.model).map(target => cooldownOf(target) ?? noCooldown)
  if (!cooldowns.length) return new Fault({ status: 503, code: 'relay.channel_unfit', retry: false })
  const shortest = cooldowns.reduce((least, cooldown) => (cooldown.seconds < least.seconds ? cooldown : least))
  const seconds = Math.max(1, shortest.seconds)
  const fields = shortest.by_provider
    ? ({ status: 429, code: 'relay.upstream_saturated' } as const)
    : ({ status: 503, code: 'relay.channels_cooling_down' } as const)
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
