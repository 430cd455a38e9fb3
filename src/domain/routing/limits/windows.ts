/** Windows and leases in which the calls of a limited place are counted. */
import type { Rule } from '../../../cluster/limits.ts'
import { SlidingWindow } from '../../../cluster/sliding-window.ts'
import { TokenWindow } from '../../../cluster/token-window.ts'
import { type Measure, measures } from '../../../contracts/channel-limits.ts'
import type { LimitedPlace } from './channel-limits.ts'

const requests = new SlidingWindow('channel-requests')
const tokens = new TokenWindow('channel-tokens')

/**
 * A second more than a minute: of two requests the later one may be faster on its way, and the maker counts when they
 * come.
 */
export const LIMIT_WINDOW_SECONDS = 61

export interface PlaceRule {
  place: LimitedPlace
  measure: Measure
  rule: Rule
}

/** @param spent tokens that the call may take */
export const rulesOf = (places: readonly LimitedPlace[], spent: number): PlaceRule[] =>
  places.flatMap(place =>
    measures.flatMap(measure => (place.limits[measure] ? { place, measure, rule: ruleOf(place, measure, spent) } : [])),
  )

function ruleOf({ name: key, limits }: LimitedPlace, measure: Measure, spent: number): Rule {
  const count = limits[measure]!
  const seconds = LIMIT_WINDOW_SECONDS
  if (measure === 'concurrency') return { kind: 'lease', key: `channel ${key}`, count }
  if (measure === 'rpm') return { kind: 'take', window: requests, key, count, seconds }
  return { kind: 'spend', window: tokens, key, count, seconds, tokens: spent }
}
