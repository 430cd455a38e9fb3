/** How each model has served the last 24 hours, for public pages: read once in a minute. */
import { now } from '../../process/clock.ts'
import { store } from '../../process/stores.ts'
import { HOUR_SECONDS } from './roll-up.ts'
import { type UsageSum, usageOfSite } from './sums.ts'

const KEPT_SECONDS = 60
const HOURS = 24

interface RecentUsage {
  read_at: number
  models: Promise<Map<string, UsageSum>>
}

const kept = store('recent-usage', new Map<'models', RecentUsage>())

/** Sums of the last 24 hours, the running one included, by model. */
export function recentUsage(): Promise<Map<string, UsageSum>> {
  const known = kept.get('models')
  if (known && now() - known.read_at < KEPT_SECONDS && now() >= known.read_at) return known.models
  const until = now() - (now() % HOUR_SECONDS) + HOUR_SECONDS
  const models = usageOfSite('model', { from: until - HOURS * HOUR_SECONDS, until }).then(
    sums => new Map(sums.map(sum => [sum.key, sum])),
  )
  kept.set('models', { read_at: now(), models })
  models.catch(() => kept.delete('models'))
  return models
}
