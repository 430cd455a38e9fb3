/** URL of the dashboard, and the figures that it shows. */
import type { AffinityFigures, AffinitySums } from '../../src/contracts/affinity.ts'
import {
  DASHBOARD_PATH,
  type DashboardRange,
  type ExplorerSort,
  USAGE_BY,
  type UsageBy,
  type UsageSums,
} from '../../src/contracts/dashboard.ts'
import { addressOf } from '../../src/contracts/list-address.ts'
import { GRAINS, type Grain } from '../../src/pure/periods.ts'

export interface DashboardView {
  range: DashboardRange
  /** Dates such as `2026-11-20`, of the range `custom`. */
  from?: string
  to?: string
  by: Grain
  /** Whose usage: the reader's, or for administrators everyone's or that of the user with this id. */
  of: 'own' | 'all' | number
  /** The table is the explorer. */
  as: 'chart' | 'table'
  rows: ExplorerRows
  /** Second level: what each row is divided by. */
  split?: UsageBy
  sort?: ExplorerSort
  page?: number
  /** Key of the row that shows all of its second level. */
  open?: string
}

/** Rows of the explorer: keys of one column, or the hours, days or weeks of the range. */
export type ExplorerRows = UsageBy | Grain

export const dashboardAt = (view: DashboardView): string => addressOf(DASHBOARD_PATH, queryOf(view))

/** CSV of the whole table. */
export const explorerCsv = (view: DashboardView): string =>
  addressOf(`${DASHBOARD_PATH}/export.csv`, queryOf({ ...view, page: 1, open: undefined }))

function queryOf({ range, from, to, by, of, as, rows, split, sort, page = 1, open }: DashboardView) {
  const dates = range === 'custom' ? { from, to } : {}
  const table = as === 'table' ? { as, rows, split, sort, page, open } : {}
  return { range, ...dates, by, of, ...table }
}

/** Columns with too many keys for a site's roll-ups of two columns: only rows with an index of hours are divided by them. */
const ofPeople: readonly ExplorerRows[] = ['user', 'token']

/** Columns that divide these rows. Of a key there is one user. */
export const splitsFor = ({ rows, of }: Pick<DashboardView, 'rows' | 'of'>, columns: readonly UsageBy[]): UsageBy[] =>
  columns.filter(
    column =>
      column !== rows &&
      !(rows === 'token' && column === 'user') &&
      !(of === 'all' && USAGE_BY.includes(rows as UsageBy) && !ofPeople.includes(rows) && ofPeople.includes(column)),
  )

/** Periods are in their order and everything else by its cost, unless the address says otherwise. */
export const sortOf = ({ sort, rows }: Pick<DashboardView, 'sort' | 'rows'>): ExplorerSort =>
  sort ?? (GRAINS.some(grain => grain === rows) ? 'name' : 'cost')

/** Part of the input that came from the cache. */
export const hitRate = ({ cache_read_tokens, prompt_tokens }: Omit<AffinitySums, 'calls'>): number =>
  prompt_tokens > 0 ? cache_read_tokens / prompt_tokens : 0

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
  /** Name of a model, a group or the playground, id of a token, user or channel. */
  key: string
  name: string
}

/** Sums by one column, the highest spending first. */
export interface Ranking {
  by: UsageBy
  rows: RankedRow[]
  /** What the rows leave out. */
  rest: UsageSums & { count: number }
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
  /** Of everyone's dashboard. */
  affinity?: AffinityFigures
  /** Of whom, for administrators; undefined for everyone. */
  username?: string
  /** Of the reader's own dashboard. */
  balance?: {
    quota: number /** At the rate of the last 7 days; undefined when nothing was spent. */
    days_left?: number
  }
}

/** A row of the explorer, or of those below it. */
export interface ExplorerRow extends UsageSums {
  key: string
  /** Empty for what has been deleted. */
  name: string
  /** User of a key, where keys of several users are listed. */
  owner?: string
  /** Moments of a period, exclusive at the end. */
  span?: { start: number; end: number }
}

/** A row of the first level. */
export interface ExplorerGroup extends ExplorerRow {
  within: ExplorerRow[]
  /** What `within` leaves out. */
  rest: UsageSums & { count: number }
}

export interface ExplorerFigures {
  groups: ExplorerGroup[]
  /** Of all rows. */
  total: UsageSums
  count: number
  page: number
  size: number
}
