/** URL of the usage log: its filters, and the open entry or user. */
import { LOGS_PATH, LOGS_RANGE_DEFAULT, type LogsRange } from '../../src/contracts/log.ts'

export interface LogsView {
  page: number
  range: LogsRange
  /** Values of `datetime-local` fields, for the range `custom`. */
  from?: string
  to?: string
  type?: number
  username?: string
  token_name?: string
  model_name?: string
  group?: string
  channel?: number
}

/** Id of the open entry, or of the user in the dialog. */
type OpenItem = { open: number } | { user: number }

export const filterNames = ['type', 'username', 'token_name', 'model_name', 'group', 'channel'] as const

export const logsAt = (view: Partial<LogsView>, open?: OpenItem): string => urlOf(LOGS_PATH, view, open)

export const exportAt = (view: LogsView): string => urlOf(`${LOGS_PATH}/export.csv`, { ...view, page: 1 })

function urlOf(
  path: string,
  { page = 1, range = LOGS_RANGE_DEFAULT, from, to, ...filters }: Partial<LogsView>,
  open: OpenItem | object = {},
): string {
  const query = new URLSearchParams()
  const add = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== '') query.set(name, String(value))
  }
  if (range !== LOGS_RANGE_DEFAULT) add('range', range)
  if (range === 'custom') {
    add('from', from)
    add('to', to)
  }
  for (const name of filterNames) add(name, filters[name])
  if (page > 1) add('p', page)
  for (const [name, id] of Object.entries(open)) add(name, id)
  return query.size ? `${path}?${query}` : path
}

/** Number of filters that are set, the range included. */
export const filterCount = (view: LogsView): number =>
  filterNames.filter(name => view[name] !== undefined).length + Number(view.range !== LOGS_RANGE_DEFAULT)
