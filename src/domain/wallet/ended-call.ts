/** An ended call as the wallet books it. */
import type { Usage } from '../../billing/usage.ts'
import type { Work } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import type { Booking } from '../budgets/index.ts'
import type { NewLog } from '../logs/index.ts'
import type { NewStoredObject } from '../stored-objects/index.ts'
import type { Reservation } from './reservation.ts'

/** What a call cost, with everything that is recorded of it. */
export interface Settlement {
  quota: number
  usage: Usage
  model: string
  group: string
  channel_id: number
  /** Absent when the usage log is off; no balance depends on it. */
  log: NewLog | undefined
  /** What the upstream has stored of the call; absent for most. */
  stored?: readonly NewStoredObject[]
  /**
   * Runs before the bill in its transaction: where it returns false, nothing is billed. Absent for most.
   * @param at unix seconds under which the bill is booked
   */
  condition?(tx: Tx, at: number): ReturnType<Work<boolean>>
}

export type MakeRecord = () => string

/** Without a bill, the call was released. */
export interface EndedCall extends Reservation {
  at: number
  bill?: Settlement
  /** Where the bill counts in budgets; absent for most. */
  bookings?: readonly Booking[]
  /** Makes the record of the call, when it is written; absent where none is kept. */
  record?: MakeRecord
}

export type BilledCall = EndedCall & { bill: Settlement }
