/** Addresses of price administration: its areas, the views of the price area, what is open over them. */

import { addressOf } from '../../src/contracts/list-address.ts'
import { SETTINGS_PATH } from '../../src/contracts/option.ts'

const PRICES_PATH = `${SETTINGS_PATH}/prices`

export const AREAS = ['prices', 'groups', 'fallback', 'import', 'history'] as const
export type Area = (typeof AREAS)[number]

/** Models that channels serve come first: the tables name hundreds of others. */
export const PRICE_VIEWS = ['served', 'unset', 'models', 'tables'] as const
export type PriceView = (typeof PRICE_VIEWS)[number]

/** Models in each list. */
export type PriceCounts = Record<Exclude<PriceView, 'tables'>, number>

export interface SettingsView {
  area: Area
  /** Of the area `prices`. */
  view?: PriceView
  keyword?: string
  page?: number
}

/** Drawer or dialog over the page, or the open row. */
type Overlay = 'new' | 'reset' | { new?: string; edit?: string; delete?: string; open?: number; undo?: number }

export const settingsAt = ({ area, view, ...list }: SettingsView, overlay?: Overlay): string =>
  addressOf(
    SETTINGS_PATH,
    {
      tab: 'operation',
      area,
      view: view === 'served' ? undefined : view,
      ...list,
    } as { page?: number },
    overlay,
  )

/** Target of a form: `tables`, `groups`, `models`, `12/undo`. */
export const pricesAction = (action: string): string => `${PRICES_PATH}/${action}`
