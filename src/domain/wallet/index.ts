/** The wallet: reserve to settle, ledger, audit. */
import './gauges.ts'

export { auditWallets } from './audit.ts'
export { chargeMore } from './charge-more.ts'
export { type ChargedBalance, charged } from './charged.ts'
export { credit } from './credit.ts'
export type { BilledCall, MakeRecord, Settlement } from './ended-call.ts'
export { lastCreditOf, ledgerEntryOf, ledgerOf } from './ledger.ts'
export { keepReservations, pruneSettlements, startWallet } from './maintenance.ts'
export { oldestHold_seconds } from './oldest-hold.ts'
export { type Refund, refund } from './refund.ts'
export { isShortage, PLENTY, type Reservation } from './reservation.ts'
export { extend, openCalls, refusedIfTransient, release, reserve, settle } from './service.ts'
