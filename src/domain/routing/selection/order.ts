/** The order in which a call tries the channels that can serve it. */
import { option } from '../../options/index.ts'
import { allowsCall } from '../health/outcome.ts'
import type { Candidate } from '../target.ts'
import { type ApiQuery, apiByKey } from './choose-api.ts'
import { inOwnOrder } from './own-order.ts'

/**
 * Highest priority first; within one priority at random by weight, or in the own order of the conversation. Skips
 * channels that take no calls of the model now.
 */
export function* inOrder(
  candidates: readonly Candidate[],
  call: ApiQuery,
  conversation: number | undefined,
): Generator<Candidate> {
  if (candidates.length === 1) return yield candidates[0]!
  const left = [...candidates]
  for (let tier = nextTier(left, call); tier.length; tier = nextTier(left, call)) {
    const drawn = draw(tier, conversation)
    left.splice(left.indexOf(drawn), 1)
    yield drawn
  }
}

/** Candidates of the highest priority among those that take calls of the model now. */
export function nextTier(candidates: readonly Candidate[], call: ApiQuery): Candidate[] {
  const open = candidates.filter(candidate => takesCalls(candidate, call))
  const highest = open.reduce((most, { channel }) => Math.max(most, channel.priority), Number.NEGATIVE_INFINITY)
  return open.filter(({ channel }) => channel.priority === highest)
}

/** Whether one of the keys serves the call and has no open circuit. */
const takesCalls = (candidate: Candidate, call: ApiQuery): boolean =>
  candidate.channel.good_keys.some(
    key =>
      allowsCall({ channel: candidate.channel, key, model: call.facts.model }) &&
      apiByKey(candidate, key, call) !== undefined,
  )

/** Chances in a tier, each in proportion to their sum: the weights, or equal ones where all are 0. */
export function chancesIn(tier: readonly Pick<Candidate, 'channel'>[]): number[] {
  const weights = tier.map(({ channel }) => channel.weight)
  return weights.some(weight => weight > 0) ? weights : weights.map(() => 1)
}

function draw(tier: readonly Candidate[], conversation: number | undefined): Candidate {
  const chances = chancesIn(tier)
  if (conversation !== undefined) {
    const weights = new Map(tier.map((candidate, index) => [candidate, chances[index]!]))
    const shareOf = (candidate: Candidate) => ({ name: String(candidate.channel.id), weight: weights.get(candidate)! })
    return inOwnOrder(tier, conversation, shareOf)[0]!
  }
  let left = Math.random() * chances.reduce((sum, chance) => sum + chance, 0)
  return tier.find((_, index) => {
    left -= chances[index]!
    return left < 0
  })!
}

/** Attempts of a call that names no channel. */
export const attemptsMax = (): number => option('RetryTimes') + 1
