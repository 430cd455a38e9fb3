/** Addresses of the wallet: its list of orders, and what is open on the page. */

import { addressOf } from '../../src/contracts/list-address.ts'
import { type PaymentMethod, WALLET_PATH } from '../../src/contracts/payment.ts'

export interface WalletView {
  page: number
}

/** @param open such as `{ order: 12 }`, or `get-code` */
export const walletAt = (view: Partial<WalletView> = {}, open?: string | Record<string, string | number | undefined>) =>
  addressOf(WALLET_PATH, view, open)

/** The form with an amount in it; `confirm` asks whether to order. */
export const topUpAt = (amount: string, method: PaymentMethod, confirm?: 1) => walletAt({}, { amount, method, confirm })

export const walletAction = (action: 'redeem' | 'pay') => `${WALLET_PATH}/${action}`

/** The state of an order, which the page polls. */
export const orderStateAt = (id: number) => `${WALLET_PATH}/orders/${id}`

/** The form that leads to the gateway. */
export const payPageAt = (id: number) => `${orderStateAt(id)}/pay`
