/** How this installation bills a group of ended calls: in a transaction on SQLite, in a statement on PostgreSQL. */
import { atomic } from '../../db/atomic.ts'
import { dialect } from '../../db/dialect.ts'
import type { EndedCall } from './ended-call.ts'
import { waitBriefly } from './hold-alone.ts'
import { type CommittedBills, commitBills } from './settle.ts'
import { settleTogether } from './settle-together.ts'

type SettleGroup = (calls: readonly EndedCall[]) => Promise<CommittedBills>

const inTransaction: SettleGroup = calls => atomic(tx => commitBills(tx, calls))

export const settleGroup: SettleGroup = dialect === 'sqlite' ? inTransaction : settleTogether

/** With its condition, whose reads and writes are its own. On PostgreSQL it waits for locks, for two seconds at a time. */
export const settleAlone: SettleGroup =
  dialect === 'sqlite'
    ? inTransaction
    : calls =>
        atomic(function* (tx) {
          yield* waitBriefly(tx)
          return yield* commitBills(tx, calls)
        })
