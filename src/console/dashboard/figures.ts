/** Figures of a dashboard, all from hourly usage and its roll-ups. */
import type { DashboardFigures, Period } from '../../../views/dashboard/view.ts'
import { USAGE_SUMS, type UsageSums } from '../../contracts/dashboard.ts'
import {
  affinityOf,
  failuresByHour,
  type Span,
  sumOf,
  totalUsage,
  type UsageScope,
  type UsageSum,
  usageOfUser,
} from '../../domain/usage/index.ts'
import { balanceOf } from '../../domain/users/index.ts'
import { now } from '../../process/clock.ts'
import { firstHourOf, type Grain, startsOf } from '../../pure/periods.ts'
import { exact, type Zone } from '../../pure/time.ts'
import { type Days, lengthOf } from './range.ts'
import { rankingsOf } from './rankings.ts'
import { usageOf } from './usage.ts'

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400
/** The present rate of spending is that of the last days. */
const RATE_DAYS = 7

export interface FiguresQuery {
  scope: UsageScope
  days: Days
  by: Grain
  zone: Zone
  /** Rows of a ranking; 0 without rankings. */
  ranked_max: number
}

export async function figuresOf(query: FiguresQuery): Promise<DashboardFigures> {
  const { scope, days, by, zone } = query
  const range = { from: firstHourOf(days.first, zone), until: firstHourOf(days.last + 1, zone) }
  const starts = startsOf(by, zone, days.first, days.last)
  const [usage, failures] = await Promise.all([
    usageOf(scope, range, by === 'hour' ? 'hours' : starts, query.ranked_max > 0),
    failuresByHour({ user_id: scope.user_id }, range),
  ])
  const sums = sumOf(usage.models)
  return {
    sums,
    failed: failures.reduce((sum, { failed }) => sum + failed, 0),
    minutes: Math.max(minutesOf(range), 1),
    periods: periodsOf([...starts, range.until], zone, usage.models, failures),
    rankings: query.ranked_max > 0 ? await rankingsOf(usage, query.ranked_max) : [],
    comparison: await comparisonOf(query, range, sums),
    affinity: scope.user_id === undefined ? await affinityOf(range) : undefined,
    balance: scope.user_id === undefined ? undefined : await balanceWithRate(scope.user_id),
  }
}

/** Minutes of a span that have passed, the running second included. */
const minutesOf = ({ from, until }: Span) => Math.max(Math.min(until, now() + 1) - from, 0) / MINUTE_SECONDS

/**
 * @param edges starts of the periods, and the end of the last one
 * @param models sums by model and by the index or the first hour of a period
 */
function periodsOf(edges: number[], zone: Zone, models: UsageSum[], failures: { hour: number; failed: number }[]) {
  const local = edges.map(edge => exact(edge, zone).slice(0, 'yyyy-mm-dd hh:mm'.length))
  const periods = edges.slice(0, -1).map((start, index): Period => {
    const end = edges[index + 1]!
    const minutes = minutesOf({ from: start, until: end })
    return {
      start,
      end,
      from: local[index]!,
      until: local[index + 1]!,
      minutes,
      models: new Map(),
      calls: 0,
      failed: 0,
    }
  })
  const byStart = new Map(periods.map(period => [period.start, period]))
  for (const sum of models) {
    const period = byStart.get(sum.period) ?? periods[sum.period]!
    period.models.set(sum.key, sum)
    period.calls += sum.calls
  }
  for (const { hour, failed } of failures) periods.findLast(({ start }) => start <= hour)!.failed += failed
  return periods
}

/** Compares whole hours only: of the running hour nothing is known one range earlier. */
async function comparisonOf({ scope, days, zone }: FiguresQuery, { from, until }: Span, sums: UsageSums) {
  const passed = Math.min(until, now() - (now() % HOUR_SECONDS))
  if (passed <= from) return
  const length = lengthOf(days)
  const start = firstHourOf(days.first - length, zone)
  const [running, before] = await Promise.all([
    totalUsage(scope, { from: passed, until }),
    totalUsage(scope, { from: start, until: Math.min(start + passed - from, from) }),
  ])
  return { now: less(sums, running), before, days: length }
}

function less(sums: UsageSums, part: UsageSums): UsageSums {
  const left = { ...sums }
  for (const name of USAGE_SUMS) left[name] -= part[name]
  return left
}

async function balanceWithRate(user_id: number) {
  const quota = await balanceOf(user_id)
  const until = now() - (now() % HOUR_SECONDS) + HOUR_SECONDS
  const spent = await usageOfUser(user_id, [], { from: until - RATE_DAYS * DAY_SECONDS, until }, 'hours')
  const total = sumOf(spent)
  if (!total.quota) return { quota }
  const first = Math.min(...spent.filter(({ calls }) => calls > 0).map(({ period }) => period))
  const days = Math.max((now() - first) / DAY_SECONDS, 1)
  return { quota, days_left: Math.max((quota / total.quota) * days, 0) }
}
