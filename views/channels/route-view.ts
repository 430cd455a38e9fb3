/** Addresses of the route finder and of a channel's report. */

import { CHANNELS_PATH } from '../../src/contracts/channel.ts'
import { addressOf } from '../../src/contracts/list-address.ts'
import { ROUTES_PATH } from '../../src/contracts/route-preview.ts'

export interface RouteView {
  group?: string
  model?: string
  input_tokens?: string
  /** Id of an API key. */
  key?: string
}

export const routesAt = (view: RouteView): string => addressOf(ROUTES_PATH, { page: 1, ...view })

export interface ReportView {
  as?: 'table'
}

export const reportAt = (id: number, view: ReportView = {}): string =>
  addressOf(`${CHANNELS_PATH}/${id}/report`, { page: 1, ...view })
