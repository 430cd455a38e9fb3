import { and, eq, gte, lte, sql } from 'drizzle-orm'
import { notFound, Refusal } from '../../contracts/refusal.ts'
import { run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { users } from '../users/table.ts'
import { ledger } from './table.ts'

export type LedgerKind = 'setup' | 'admin' | 'redeem' | 'topup' | 'check_in' | 'transfer' | 'reward' | 'refund'

interface Credit {
  user_id: number
  kind: LedgerKind
  /** Quota; negative takes away, though never more than there is. */
  delta: number
  actor_id?: number
  /** The code, order or task it is for: a user is credited once per kind and reference. */
  reference?: string
}

/**
 * Changes a balance by something that is not usage, and writes it into the ledger. Answers the new balance.
 * @throws Refusal when the balance would fall below zero or outgrow exact numbers, or the reference is credited already.
 */
export function* credit(tx: Tx, { user_id, kind, delta, actor_id = 0, reference = '' }: Credit) {
  if (!Number.isSafeInteger(delta)) throw new Refusal('wallet.amount_invalid', {}, 400)
  const [user] = yield* run(
    tx
      .update(users)
      .set({ quota: sql`${users.quota} + ${delta}` })
      .where(and(eq(users.id, user_id), withinBounds(delta)))
      .returning({ quota: users.quota }),
  )
  if (!user) throw yield* reasonAgainst(tx, user_id, delta)
  const entry = { user_id, kind, delta, balance_after: user.quota, actor_id, reference, created_time: now() }
  const written = yield* run(tx.insert(ledger).values(entry).onConflictDoNothing().returning({ id: ledger.id }))
  if (!written.length) throw new Refusal('wallet.already_credited')
  return user.quota
}

const withinBounds = (delta: number) =>
  delta < 0 ? gte(users.quota, -delta) : lte(users.quota, Number.MAX_SAFE_INTEGER - delta)

function* reasonAgainst(tx: Tx, user_id: number, delta: number) {
  const [user] = yield* run(tx.select({ quota: users.quota }).from(users).where(eq(users.id, user_id)))
  if (!user) return notFound()
  const facts = { balance: user.quota, delta: Math.abs(delta) }
  return new Refusal(delta < 0 ? 'wallet.balance_too_small' : 'wallet.balance_too_large', facts, 400)
}
