/** What an administrator gives back of a call. */
import { z } from 'zod'
import { AmountToAdd } from './top-up.ts'

export const CallRefund = AmountToAdd.extend({ quota: z.int('user.quota_invalid').min(1, 'log.refund_none') })
export type CallRefund = z.output<typeof CallRefund>

/** What was given back of a call. Amounts are quota. */
export interface CallRefunds {
  cost: number
  /** By administrators, and by the end of its task. */
  refunded: number
  /** What can be given back: nothing while its task runs, which may fail and be refunded. */
  left: number
  /** Those of administrators, oldest first. */
  refunds: { delta: number; created_time: number }[]
}
