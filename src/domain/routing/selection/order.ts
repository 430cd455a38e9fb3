/** The order in which a call tries the channels that can serve it. */
import { option } from '../../options/index.ts'
import { allowsCall, cooldownOfAll } from '../health/outcome.ts'
import type { RoutedChannel } from '../routed-channel.ts'
import type { Candidate } from '../target.ts'
import { type ApiQuery, apiByKey } from './choose-api.ts'
import { inOwnOrder } from './own-order.ts'

/** A choice among candidates, for the record of the call. */
export interface Choice {
  /** 0 to `DRAWS`; absent where there was nothing to choose, and where the conversation decided. */
  draw?: number
  chosen: RoutedChannel
  /** Candidates that took no calls of the model, with the seconds until they do. */
  closed: { channel: RoutedChannel; seconds: number }[]
}

export interface Choosing {
  /** Number of 32 bits, for which channel and key are the same as long as they take calls. */
  conversation?: number
  /** Learns of each choice before its candidate is tried. */
  onChoice?(choice: Choice): void
}

/** What a draw looks at. */
interface Drawable {
  channel: Pick<RoutedChannel, 'priority' | 'weight'> & {
    /** Of channels that a record joins. */
    count?: number
  }
}

/**
 * Highest priority first; within one priority at random by weight, or in the own order of the conversation. Skips
 * channels that take no calls of the model now.
 */
export function* inOrder(
  candidates: readonly Candidate[],
  call: ApiQuery,
  { conversation, onChoice }: Choosing,
): Generator<Candidate> {
  if (candidates.length === 1) {
    onChoice?.({ chosen: candidates[0]!.channel, closed: [] })
    return yield candidates[0]!
  }
  const left = [...candidates]
  for (let open = openOf(left, call); open.length; open = openOf(left, call)) {
    const draw = conversation === undefined ? Math.floor(Math.random() * DRAWS) : undefined
    const drawn = draw === undefined ? ownChoice(open, conversation!) : drawFrom(open, draw)
    onChoice?.({ draw, chosen: drawn.channel, closed: closedIn(left, open, call) })
    left.splice(left.indexOf(drawn), 1)
    yield drawn
  }
}

/** Candidates of the highest priority among those that take calls of the model now. */
export const nextTier = (candidates: readonly Candidate[], call: ApiQuery): Candidate[] =>
  highestOf(openOf(candidates, call))

const openOf = (candidates: readonly Candidate[], call: ApiQuery): Candidate[] =>
  candidates.filter(candidate => takesCalls(candidate, call))

function closedIn(left: readonly Candidate[], open: readonly Candidate[], { facts }: ApiQuery): Choice['closed'] {
  if (left.length === open.length) return []
  const closed = left.filter(candidate => !open.includes(candidate))
  return closed.map(({ channel }) => {
    const cooldown = cooldownOfAll(channel.good_keys.map(key => ({ channel, key, model: facts.model })))
    return { channel, seconds: cooldown?.seconds ?? 0 }
  })
}

/** Whether one of the keys serves the call and has no open circuit. */
const takesCalls = (candidate: Candidate, call: ApiQuery): boolean =>
  candidate.channel.good_keys.some(
    key =>
      allowsCall({ channel: candidate.channel, key, model: call.facts.model }) &&
      apiByKey(candidate, key, call) !== undefined,
  )

function highestOf<T extends Drawable>(open: readonly T[]): T[] {
  const highest = open.reduce((most, { channel }) => Math.max(most, channel.priority), Number.NEGATIVE_INFINITY)
  return open.filter(({ channel }) => channel.priority === highest)
}

/** Chances in a tier, each in proportion to their sum: the weights, or equal ones where all are 0. */
export function chancesIn(tier: readonly Drawable[]): number[] {
  const weights = tier.map(({ channel }) => channel.weight)
  return weights.some(weight => weight > 0) ? weights : tier.map(({ channel }) => channel.count ?? 1)
}

function ownChoice(open: readonly Candidate[], conversation: number): Candidate {
  const tier = highestOf(open)
  const chances = chancesIn(tier)
  const shares = tier.map((candidate, at) => ({ candidate, name: String(candidate.channel.id), weight: chances[at]! }))
  return inOwnOrder(shares, conversation, share => share)[0]!.candidate
}

/** Draws are whole numbers below this one: a record keeps them exactly. */
export const DRAWS = 2 ** 32

/** @param draw decides among the open candidates of the highest priority: the same draw chooses the same one */
export function drawFrom<T extends Drawable>(open: readonly T[], draw: number): T {
  const tier = highestOf(open)
  const chances = chancesIn(tier)
  let left = (draw / DRAWS) * chances.reduce((sum, chance) => sum + chance, 0)
  return tier.find((_, index) => {
    left -= chances[index]!
    return left < 0
  })!
}

/** Attempts of a call that names no channel. */
export const attemptsMax = (): number => option('RetryTimes') + 1
