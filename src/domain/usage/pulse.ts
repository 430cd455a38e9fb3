/** Cost and failures of a usage log's range, in at most 48 equal spans. */
import { LogType, type PulseBar } from '../../contracts/log.ts'
import { hourlyFailuresUnder, type LogScope, matchesAnyModel } from '../logs/index.ts'
import { option } from '../options/index.ts'
import { failuresByHour } from './failures.ts'
import { hourlyUsageUnder, isUnrolled } from './filtered.ts'
import { HOUR_SECONDS } from './roll-up.ts'
import { wholeHoursOf } from './stat.ts'

const BARS_MAX = 48
/** Hours of a bar. */
const STEPS = [1, 2, 3, 6, 12, 24, 48, 168]
/** Hours of all users' usage that are read under several filters. */
const UNROLLED_HOURS_MAX = 96

/** @returns no bar for other types than calls, for one kind of errors, for a range without a start, and where it would take long */
export async function pulseOf(scope: LogScope): Promise<PulseBar[]> {
  const { wholeFrom: from, wholeUntil: until } = wholeHoursOf(scope)
  const hours = (until - from) / HOUR_SECONDS
  const step = STEPS.find(step => hours <= step * BARS_MAX)
  if (scope.status_code !== undefined) return []
  const isOfCalls = !scope.type || scope.type === LogType.consume || scope.type === LogType.error
  if (!isOfCalls || scope.start_timestamp === undefined || hours < 1 || !step) return []
  if (isUnrolled(scope) && hours > UNROLLED_HOURS_MAX) return []
  const seconds = step * HOUR_SECONDS
  const [usage, failures] = await Promise.all([
    hourlyUsageUnder(scope, { from, until }),
    failuresIn(scope, from, until),
  ])
  const bars: PulseBar[] = Array.from({ length: Math.ceil(hours / step) }, (_, index) => {
    const start = from + index * seconds
    return { from: start, until: Math.min(start + seconds, until), quota: 0, calls: 0, failed: failures && 0 }
  })
  const barAt = (hour: number) => bars[Math.floor((hour - from) / seconds)]!
  for (const { hour, quota, calls } of usage) {
    const bar = barAt(hour)
    bar.quota += quota
    bar.calls += calls
  }
  for (const { hour, failed } of failures ?? []) barAt(hour).failed! += failed
  return bars
}

/**
 * From the counts of the site, a user or a channel, else from the log.
 * @returns undefined where the log does not record failures, or would take long to read
 */
async function failuresIn(scope: LogScope, from: number, until: number) {
  const { user_id, token_name, model_name, group, channel } = scope
  const isAnyModel = model_name === undefined || matchesAnyModel(model_name)
  const isCounted = isAnyModel && token_name === undefined && group === undefined
  if (isCounted && (user_id === undefined || channel === undefined))
    return failuresByHour({ user_id, channel }, { from, until })
  if (!option('LogErrorEnabled')) return
  return hourlyFailuresUnder({ ...scope, start_timestamp: from, end_timestamp: until - 1 })
}
