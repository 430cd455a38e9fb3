/** Online payments: orders, callbacks of the gateway, stray payments. */
export { receivePayment } from './callback.ts'
export { isSigned, type PayForm, signed } from './epay.ts'
export {
  expireOrders,
  listOrders,
  type OrderSearch,
  orderOf,
  ordersOf,
  payForm,
  placeOrder,
  sumOrders,
  walkOrders,
} from './orders.ts'
export { creditStrayPayment, dismissStrayPayment, listStrayPayments, strayPayment, waitingPayments } from './stray.ts'
export { isTopUpEnabled, quoteTopUp, topUpTerms } from './terms.ts'
