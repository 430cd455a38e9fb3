/** POST /api/topup: an administrator changes a balance. */
import { z } from 'zod'
import { bodyOf } from './body.ts'

export const REMARK_MAX = 200

const amount = {
  /** Added to the balance; a negative one is taken away. */
  quota: z.int('user.quota_invalid').refine(quota => quota !== 0, 'user.quota_zero'),
  /** Shown in the statement of the user. */
  remark: z
    .string()
    .trim()
    .max(REMARK_MAX, 'user.remark_too_long')
    .regex(/^\P{Cc}*$/u, 'user.remark_characters')
    .default(''),
}

export const AdminTopUp = bodyOf(z.object({ user_id: z.int(), ...amount }))
export type AdminTopUp = z.output<typeof AdminTopUp>

/** The same for several users at once. */
export const AmountToAdd = z.object(amount)
export type AmountToAdd = z.output<typeof AmountToAdd>

export interface ToppedUp {
  user_id: number
  username: string
  /** Quota after the change. */
  balance: number
}
