/** Addresses of the usage log with the calls behind a figure. */
import type { UsageBy } from '../../src/contracts/dashboard.ts'
import { exact, type Zone } from '../../src/pure/time.ts'
import { type LogsView, logsAt } from '../logs/view.ts'
import type { DashboardFigures, ExplorerRow, ExplorerRows } from './view.ts'

const MINUTE_SECONDS = 60

/** Calls of the whole range, of whom the dashboard shows. */
export function rangeFilter({ periods, username }: DashboardFigures, zone: Zone): Partial<LogsView> {
  return { ...spanFilter(periods[0]!.start, periods.at(-1)!.end, zone), username }
}

function spanFilter(start: number, end: number, zone: Zone): Partial<LogsView> {
  const field = (at: number) => exact(at, zone).slice(0, 'yyyy-mm-dd hh:mm'.length).replace(' ', 'T')
  return { range: 'custom', from: field(start), to: field(end - MINUTE_SECONDS) }
}

interface NamedKey {
  key: string
  name: string
}

const filters: Record<UsageBy, (row: NamedKey) => Partial<LogsView>> = {
  model: ({ key }) => ({ model_name: key }),
  token: ({ name }) => ({ token_name: name }),
  group: ({ key }) => ({ group: key }),
  channel: ({ key }) => ({ channel: Number(key) }),
  user: ({ name }) => ({ username: name }),
}

/** The usage log with the calls of a row of a ranking. */
export const callsAt = (figures: DashboardFigures, by: UsageBy, row: NamedKey, zone: Zone): string =>
  logsAt({ ...rangeFilter(figures, zone), ...filters[by](row) })

/** @returns undefined where the log could not find the calls: of a key or user that has no name any more */
export function rowFilter(rows: ExplorerRows, row: ExplorerRow, zone: Zone): Partial<LogsView> | undefined {
  if (row.span) return spanFilter(row.span.start, row.span.end, zone)
  const by = rows as UsageBy
  if (!row.name && (by === 'token' || by === 'user')) return
  return { ...filters[by](row), ...(row.owner !== undefined && { username: row.owner }) }
}
