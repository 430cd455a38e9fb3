/** How each model has served the last 24 hours, for public pages. */
import { type Outcomes, successOf } from '../../contracts/availability.ts'
import type { UsageSums } from '../../contracts/dashboard.ts'
import { now } from '../../process/clock.ts'
import { firstTokensOf, medianOf } from './first-tokens.ts'
import { readEachMinute } from './kept.ts'
import { HOUR_SECONDS } from './roll-up.ts'
import { usageOfSite } from './sums.ts'

const HOURS = 24

export interface RecentService extends Outcomes {
  /** Part of the attempts that succeeded; undefined after few. */
  success?: number
  /** Median time to first token of streamed calls, in milliseconds; undefined after few. */
  first_token_ms?: number
}

/** A call that is served at its second attempt counts as one that succeeds and one that fails. */
export const outcomesOf = ({ calls, failed }: Pick<UsageSums, 'calls' | 'failed'>): Outcomes => ({
  succeeded: calls,
  failed,
})

/** Of the last 24 hours, the running one included, by model. */
export const recentService = (): Promise<Map<string, RecentService>> =>
  readEachMinute('recent service', async () => {
    const until = now() - (now() % HOUR_SECONDS) + HOUR_SECONDS
    const range = { from: until - HOURS * HOUR_SECONDS, until }
    const [sums, times] = await Promise.all([usageOfSite('model', range), firstTokensOf(range)])
    return new Map(
      sums.map(sum => {
        const outcomes = outcomesOf(sum)
        return [sum.key, { ...outcomes, success: successOf(outcomes), first_token_ms: medianOf(times.get(sum.key)) }]
      }),
    )
  })
