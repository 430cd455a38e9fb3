/** How each model has served the last 90 days, for the public status page: survives the clearing of the usage log. */
import { AVAILABILITY_DAYS, type Outcomes } from '../../contracts/availability.ts'
import { now } from '../../process/clock.ts'
import { firstTokensOf, medianOf } from './first-tokens.ts'
import { readEachMinute } from './kept.ts'
import { outcomesOf } from './recent.ts'
import { DAY_SECONDS, HOUR_SECONDS } from './roll-up.ts'
import { usageOfSite } from './sums.ts'

export interface ModelAvailability {
  /** Of each day of UTC, today last. */
  days: Outcomes[]
  /** Of all days. */
  total: Outcomes
  /** Median time to first token of streamed calls, in milliseconds; undefined after few. */
  first_token_ms?: number
}

export interface Availability {
  /** Unix seconds of the first day's start. */
  from: number
  /** Those with attempts. */
  models: Map<string, ModelAvailability>
}

export const availability = (): Promise<Availability> =>
  readEachMinute('availability', async () => {
    const today = now() - (now() % DAY_SECONDS)
    const from = today - (AVAILABILITY_DAYS - 1) * DAY_SECONDS
    const range = { from, until: now() - (now() % HOUR_SECONDS) + HOUR_SECONDS }
    const starts = Array.from({ length: AVAILABILITY_DAYS }, (_, day) => from + day * DAY_SECONDS)
    const [sums, times] = await Promise.all([usageOfSite('model', range, starts), firstTokensOf(range)])
    const models = new Map<string, ModelAvailability>()
    for (const { key, period, ...sum } of sums) {
      const model = models.get(key) ?? emptyModel()
      const { succeeded, failed } = outcomesOf(sum)
      model.days[period] = { succeeded, failed }
      model.total = { succeeded: model.total.succeeded + succeeded, failed: model.total.failed + failed }
      models.set(key, model)
    }
    for (const [name, model] of models) model.first_token_ms = medianOf(times.get(name))
    return { from, models }
  })

const emptyModel = (): ModelAvailability => ({
  days: Array.from({ length: AVAILABILITY_DAYS }, () => ({ succeeded: 0, failed: 0 })),
  total: { succeeded: 0, failed: 0 },
})
