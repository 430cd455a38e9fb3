/** How a call ends, for the books. */
import type { Usage } from '../../billing/usage.ts'
import type { NewLog } from '../logs/index.ts'
import type { Reservation } from './reservation.ts'

/** What a call cost, and all that is to be remembered of it. */
export interface Settlement {
  quota: number
  usage: Usage
  model: string
  group: string
  channel_id: number
  /** Left out when usage is not logged; no balance depends on it. */
  log: NewLog | undefined
}

/** A call that is over: with a bill, or without one. */
export interface EndedCall extends Reservation {
  at: number
  bill?: Settlement
}

/** An ending with a bill, flat. */
export type BilledCall = Settlement & Pick<EndedCall, 'request_id' | 'user_id' | 'token_id' | 'at'>
