/** URL of the dashboard, and the figures that it shows. */
import { DASHBOARD_PATH, type DashboardRange, type UsageBy, type UsageSums } from '../../src/contracts/dashboard.ts'
import { addressOf } from '../../src/contracts/list-address.ts'
import type { Grain } from '../../src/pure/periods.ts'
import { exact, type Zone } from '../../src/pure/time.ts'
import { type LogsView, logsAt } from '../logs/view.ts'

export interface DashboardView {
  range: DashboardRange
  /** Dates such as `2026-11-20`, of the range `custom`. */
  from?: string
  to?: string
  by: Grain
  /** Whose usage: the reader's, or for administrators everyone's or that of the user with this id. */
  of: 'own' | 'all' | number
  as: 'chart' | 'table'
}

export function dashboardAt({ range, from, to, by, of, as }: DashboardView): string {
  const dates = range === 'custom' ? { from, to } : {}
  const query = { page: 1, range, ...dates, by, of, as: as === 'table' ? as : '' }
  return addressOf(DASHBOARD_PATH, query)
}

/** One hour, day or week. */
export interface Period {
  /** Unix seconds of its first hour, and of the hour after its last one. */
  start: number
  end: number
  /** The same in the reader's zone: `2026-11-20 14:00`. */
  from: string
  until: string
  /** Minutes of it that have passed; 0 for one that has not begun. */
  minutes: number
  /** By model. */
  models: Map<string, UsageSums>
  calls: number
  failed: number
}

export interface RankedRow extends UsageSums {
  /** Name of a model or group, id of a token, user or channel. */
  key: string
  name: string
  /** Failed attempts; undefined where they are not counted. */
  failed?: number
}

/** Sums by one column, the highest spending first. */
export interface Ranking {
  by: UsageBy
  rows: RankedRow[]
  /** What the rows leave out. */
  rest: UsageSums & { count: number; failed?: number }
}

export interface DashboardFigures {
  /** Whole range: sums, failed attempts, and minutes that have passed. */
  sums: UsageSums
  failed: number
  minutes: number
  periods: Period[]
  rankings: Ranking[]
  /** Sums of the whole hours that have passed, and of as many hours one range earlier; undefined before the first hour. */
  comparison?: { now: UsageSums; before: UsageSums; days: number }
  /** Of whom, for administrators; undefined for everyone. */
  username?: string
  /** Of the reader's own dashboard. */
  balance?: {
    quota: number /** At the rate of the last 7 days; undefined when nothing was spent. */
    days_left?: number
  }
}

type CallFilter = 'model_name' | 'token_name' | 'group' | 'channel' | 'username'

const filters: Record<UsageBy, CallFilter> = {
  model: 'model_name',
  token: 'token_name',
  group: 'group',
  channel: 'channel',
  user: 'username',
}

const MINUTE_SECONDS = 60

/** The usage log with the calls of a row. */
export function callsAt({ periods, username }: DashboardFigures, by: UsageBy, row: RankedRow, zone: Zone): string {
  const field = (at: number) => exact(at, zone).slice(0, 'yyyy-mm-dd hh:mm'.length).replace(' ', 'T')
  const view: Partial<LogsView> = {
    range: 'custom',
    from: field(periods[0]!.start),
    to: field(periods.at(-1)!.end - MINUTE_SECONDS),
    username,
    [filters[by]]: by === 'channel' ? Number(row.key) : row.name,
  }
  return logsAt(view)
}
