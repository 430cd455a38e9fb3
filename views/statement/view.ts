/** Addresses of a statement page: its month and kind. */

import { addressOf } from '../../src/contracts/list-address.ts'
import type { StatementKind } from '../../src/contracts/statement.ts'

export interface StatementView {
  /** UTC, as `2026-11`. */
  month: string
  kind?: StatementKind
  /** UTC, as `2026-11-22`: the usage of this day is open. */
  day?: string
}

/** @param path of one's own statement or of a user's */
export const statementAt = (path: string, view: Partial<StatementView>): string => addressOf(path, { page: 1, ...view })

export const exportAt = (path: string, view: StatementView): string =>
  addressOf(`${path}/export.csv`, { page: 1, ...view })

/** The whole year of the month. */
export const exportYearAt = (path: string, view: StatementView): string =>
  addressOf(`${path}/export.csv`, { page: 1, ...view }, 'year')
