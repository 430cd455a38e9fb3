/** Addresses of orders and of stray payments. */

import { addressOf } from '../../src/contracts/list-address.ts'
import type { LogsRange } from '../../src/contracts/log.ts'
import { ORDERS_PATH, type OrderStatus, type PaymentMethod, STRAY_PATH } from '../../src/contracts/payment.ts'

export interface OrdersView {
  page: number
  status?: OrderStatus
  method?: PaymentMethod
  username?: string
  trade_no?: string
  range?: LogsRange
  /** Values of `datetime-local` fields, for the range `custom`. */
  from?: string
  to?: string
}

const filterNames = ['status', 'method', 'username', 'trade_no', 'range'] as const

export const ordersAt = (view: Partial<OrdersView> = {}, open?: number): string =>
  addressOf(ORDERS_PATH, view, { open })

export const exportAt = (view: OrdersView): string => addressOf(`${ORDERS_PATH}/export.csv`, { ...view, page: 1 })

export const filterCount = (view: OrdersView): number => filterNames.filter(name => view[name]).length

export interface StrayView {
  page: number
  /** Also those that are settled. */
  all?: string
}

type StrayOverlay = { credit: number } | { dismiss: number }

export const strayAt = (view: Partial<StrayView> = {}, overlay: StrayOverlay | undefined = undefined): string =>
  addressOf(STRAY_PATH, view, overlay)

export const strayAction = (id: number, action: 'credit' | 'dismiss') => `${STRAY_PATH}/${id}/${action}`
