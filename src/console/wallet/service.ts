/** Balances: changed by delta only, and only here. */
import { eq, sql } from 'drizzle-orm'
import { run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { now } from '../../kit/clock.ts'
import { notFound } from '../../kit/refusal.ts'
import { users } from '../users/table.ts'
import { ledger } from './table.ts'

export type LedgerKind = 'setup' | 'admin' | 'redeem' | 'topup' | 'check_in' | 'transfer' | 'reward' | 'refund'

interface Credit {
  user_id: number
  kind: LedgerKind
  /** Quota; negative takes away. */
  delta: number
  actor_id?: number
  reference?: string
}

/** Changes a balance by something that is not usage, and writes it into the ledger. Answers the new balance. */
export function* credit(tx: Tx, { user_id, kind, delta, actor_id = 0, reference = '' }: Credit) {
  const [user] = yield* run(
    tx
      .update(users)
      .set({ quota: sql`${users.quota} + ${delta}` })
      .where(eq(users.id, user_id))
      .returning({ quota: users.quota }),
  )
  if (!user) throw notFound()
  yield* run(tx.insert(ledger).values({ user_id, kind, delta, balance_after: user.quota, actor_id, reference, created_time: now() }))
  return user.quota
}
