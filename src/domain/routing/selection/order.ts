/** The order in which a call tries the channels that can serve it. */
import { option } from '../../options/index.ts'
import { allowsCall, allowsTrial } from '../health/outcome.ts'
import type { RoutedChannel } from '../routed-channel.ts'

interface OfChannel {
  channel: RoutedChannel
}

/** Highest priority first; within one priority at random by weight. Skips channels whose circuits are open for the model. */
export function* inOrder<Candidate extends OfChannel>(
  candidates: readonly Candidate[],
  model: string,
): Generator<Candidate> {
  if (candidates.length === 1) return yield candidates[0]!
  const left = [...candidates]
  for (let tier = nextTier(left, model); tier.length; tier = nextTier(left, model)) {
    const drawn = draw(tier)
    left.splice(left.indexOf(drawn), 1)
    yield drawn
  }
}

/** Those of the highest priority among the ones that take calls of the model now. */
export function nextTier<Candidate extends OfChannel>(candidates: readonly Candidate[], model: string): Candidate[] {
  const open = candidates.filter(({ channel }) => channel.good_keys.some(key => allowsCall({ channel, key, model })))
  const highest = open.reduce((most, { channel }) => Math.max(most, channel.priority), Number.NEGATIVE_INFINITY)
  return open.filter(({ channel }) => channel.priority === highest)
}

/** Chances in a tier, each in proportion to their sum: the weights, or equal ones where all are 0. */
export function chancesIn(tier: readonly OfChannel[]): number[] {
  const weights = tier.map(({ channel }) => channel.weight)
  return weights.some(weight => weight > 0) ? weights : weights.map(() => 1)
}

function draw<Candidate extends OfChannel>(tier: readonly Candidate[]): Candidate {
  const chances = chancesIn(tier)
  let rest = Math.random() * chances.reduce((sum, chance) => sum + chance, 0)
  return tier.find((_, index) => {
    rest -= chances[index]!
    return rest < 0
  })!
}

/** Every channel with each of its enabled keys, for this model. */
export const withKeys = <Candidate extends OfChannel>(candidates: readonly Candidate[], model: string) =>
  candidates.flatMap(candidate => candidate.channel.good_keys.map(key => ({ ...candidate, key, model })))

/** The one target that a call tries when all circuits are open. @returns undefined while none may be tried */
export const trialOf = <Candidate extends OfChannel>(candidates: readonly Candidate[], model: string) =>
  withKeys(candidates, model).find(allowsTrial)

/** Attempts of a call that names no channel. */
export const attemptsMax = (): number => option('RetryTimes') + 1
