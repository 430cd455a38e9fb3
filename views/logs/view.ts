/** URL of the usage log: its filters, and the open entry or user. */

import { addressOf } from '../../src/contracts/list-address.ts'
import { LOGS_PATH, LOGS_RANGE_DEFAULT, type LogsRange } from '../../src/contracts/log.ts'

export interface LogsView {
  page: number
  range: LogsRange
  /** Values of `datetime-local` fields, for the range `custom`. */
  from?: string
  to?: string
  /** 0: all types; absent: calls. */
  type?: number
  username?: string
  token_name?: string
  model_name?: string
  group?: string
  channel?: number
  /** In the errors view alone. */
  status_code?: number
}

/** Id of the open entry, of the call that is refunded or of the user in the dialog; the dialog that clears the log. */
type OpenItem = { open: number } | { refund: number } | { user: number } | { after: number } | 'clear' | 'keep'

export const filterNames = ['type', 'username', 'token_name', 'model_name', 'group', 'channel', 'status_code'] as const

export const logsAt = (view: Partial<LogsView>, open?: OpenItem): string => urlOf(LOGS_PATH, view, open)

export const exportAt = (view: LogsView): string => urlOf(`${LOGS_PATH}/export.csv`, { ...view, page: 1 })

/** The view as fields of a form that is sent by GET. */
export const fieldsOf = (view: LogsView): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(queryOf(view)))

/** The filters in the address, without the page. */
export const queryOf = (view: LogsView): string => logsAt({ ...view, page: 1 }).split('?')[1] ?? ''

function urlOf(path: string, { range = LOGS_RANGE_DEFAULT, from, to, ...view }: Partial<LogsView>, open?: OpenItem) {
  const chosen = { range: range === LOGS_RANGE_DEFAULT ? '' : range, ...(range === 'custom' && { from, to }) }
  return addressOf(path, { ...chosen, ...view }, open)
}

/** Number of entries that are newer than the entry with this id. */
export const newAt = (view: LogsView, after: number): string =>
  urlOf(`${LOGS_PATH}/new`, { ...view, page: 1 }, { after })

/** Number of filters that are set, the range included. */
export const filterCount = (view: LogsView): number =>
  filterNames.filter(name => view[name] !== undefined).length + Number(view.range !== LOGS_RANGE_DEFAULT)
