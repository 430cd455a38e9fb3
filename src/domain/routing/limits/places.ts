/** The place of a call under the limits of its target: taken before the attempt, left when the response has ended. */
import { type Decision, decide, type Rule, release, type TokenRule } from '../../../cluster/limits.ts'
import type { MetChannelLimit } from '../../../contracts/channel-limits.ts'
import { announcement } from '../../../process/announcement.ts'
import { type Awaitable, chain } from '../../../pure/awaitable.ts'
import type { Target } from '../target.ts'
import { limitsOf, placesOf } from './channel-limits.ts'
import { learnedLimit } from './learned.ts'
import { type PlaceRule, rulesOf } from './windows.ts'

/** A place is free again. */
export const placeLeft = announcement<undefined>('place left')

export class CallPlace {
  #isLeft = false

  constructor(private readonly decision: Decision) {}

  /** @param tokens that the call has taken; what was estimated unless given */
  leave(tokens?: number) {
    if (this.#isLeft) return
    this.#isLeft = true
    release(this.decision, tokens === undefined ? [] : this.#corrected(tokens))
    placeLeft.announce(undefined)
  }

  #corrected(tokens: number): Rule[] {
    const spends = this.decision.rules.filter((rule): rule is TokenRule => rule.kind === 'spend')
    return spends.flatMap((rule): Rule[] => [
      { ...rule, kind: 'refund', at_ms: this.decision.at_ms },
      { ...rule, kind: 'spent', tokens },
    ])
  }
}

export type PlaceDecision = { place: CallPlace } | { met: MetChannelLimit }

type LimitTarget = Pick<Target, 'channel' | 'key' | 'model'>

/**
 * @param tokens that the call may take
 * @returns undefined where nothing limits the target
 */
export function takePlace(target: LimitTarget, tokens: number): Awaitable<PlaceDecision> | undefined {
  const learned = learnedLimit(target)
  if (learned) return { met: learned }
  const limits = limitsOf(target.channel)
  if (!limits) return undefined
  const rules = rulesOf(placesOf(target, limits), Math.ceil(tokens))
  if (!rules.length) return undefined
  return chain(decide(rules.map(({ rule }) => rule)), decision => takenBy(rules, decision))
}

function takenBy(rules: readonly PlaceRule[], decision: Decision): PlaceDecision {
  const { wait: seconds, refused } = decision
  if (!seconds) return { place: new CallPlace(decision) }
  const { place, measure } = rules[refused]!
  return { met: { measure, scope: place.scope, seconds, limit: place.limits[measure] } }
}
