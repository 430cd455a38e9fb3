/** The dashboard: ranges, granularities, and the rows of its API. */
import { z } from 'zod'
import { LogFilter } from './log.ts'

export const DASHBOARD_PATH = '/app/dashboard'

/** Each ends today, except `yesterday` and `custom`. */
export const DASHBOARD_RANGES = ['today', 'yesterday', '7d', '30d', '90d', 'custom'] as const
export type DashboardRange = (typeof DASHBOARD_RANGES)[number]

/** A custom range is cut to its last 366 days. */
export const CUSTOM_DAYS_MAX = 366

/** The longest range of a user's own rows. */
export const DATA_RANGE_SECONDS_MAX = 2_592_000

const { start_timestamp, end_timestamp, username } = LogFilter.shape

/** Times are unix seconds, inclusive, compared with the start of an hour. */
export const DataQuery = z.object({ start_timestamp, end_timestamp, username })
export type DataQuery = z.output<typeof DataQuery>

export const AffinityQuery = z.object({ start_timestamp, end_timestamp })
export type AffinityQuery = z.output<typeof AffinityQuery>

/** Usage of a model in an hour: a user's, or with `user_id` 0 everyone's. */
export interface DataRow {
  /** Number of the row in the response; 0 in a row of everyone. */
  id: number
  user_id: number
  username: string
  model_name: string
  /** Unix seconds of the hour's start. */
  created_at: number
  token_used: number
  count: number
  quota: number
}

/** Sums of settled calls; `failed` are attempts. `prompt_tokens` contain `cache_read_tokens`. */
export const USAGE_SUMS = [
  'calls',
  'failed',
  'prompt_tokens',
  'cache_read_tokens',
  'completion_tokens',
  'quota',
] as const
export type UsageSums = Record<(typeof USAGE_SUMS)[number], number>

/** What usage is added up by. Users never see channels, and of users only themselves. */
export const USAGE_BY = ['model', 'token', 'group', 'user', 'channel'] as const
export type UsageBy = (typeof USAGE_BY)[number]

/** Columns that sort the usage explorer, the most first; a minus in front turns it round. */
export const EXPLORER_COLUMNS = ['name', 'calls', 'failed', 'input', 'cached', 'hit', 'output', 'cost'] as const
export type ExplorerColumn = (typeof EXPLORER_COLUMNS)[number]
export type ExplorerSort = ExplorerColumn | `-${ExplorerColumn}`
export const EXPLORER_SORTS = EXPLORER_COLUMNS.flatMap((column): ExplorerSort[] => [column, `-${column}`])
