/** Entries of the ledger: every change of a balance that is not usage. */
export const ledgerKinds = [
  'setup',
  'admin',
  'redeem',
  'topup',
  'check_in',
  'transfer',
  'reward',
  'rebate',
  'refund',
  'import',
] as const
export type LedgerKind = (typeof ledgerKinds)[number]

export interface LedgerEntry {
  id: number
  kind: LedgerKind
  /** Quota. */
  delta: number
  balance_after: number
  /** Code, order, day, transfer, task or request; empty for none. */
  reference: string
  /** Words of the administrator; empty for none. */
  remark: string
  created_time: number
  /** Name of the acting user; null for the system. */
  actor: string | null
}
