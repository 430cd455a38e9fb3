/** Credits: every change of a balance that is not usage, with its row in the ledger. */
import { and, eq, gte, lte, sql } from 'drizzle-orm'
import type { LedgerKind } from '../../contracts/ledger.ts'
import { notFound, Refusal } from '../../contracts/refusal.ts'
import { run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { users } from '../users/table.ts'
import { ledger } from './table.ts'

interface Credit {
  user_id: number
  kind: LedgerKind
  /** Quota; a negative delta takes away at most the balance. */
  delta: number
  actor_id?: number
  /** Code, order, day, transfer, task or request of the credit: a user is credited once per kind and reference. */
  reference?: string
  /** Words of the administrator, for the statement. */
  remark?: string
}

/**
 * Changes a balance and writes the ledger.
 * @returns the new balance
 * @throws Refusal 400 when the balance would fall below zero or exceed 2^53 - 1, or `wallet.already_credited`
 */
export function* credit(tx: Tx, { user_id, kind, delta, actor_id = 0, reference = '', remark = '' }: Credit) {
  if (!Number.isSafeInteger(delta)) throw new Refusal('wallet.amount_invalid', {}, 400)
  const [user] = yield* run(
    tx
      .update(users)
      .set({ quota: sql`${users.quota} + ${delta}` })
      .where(and(eq(users.id, user_id), withinBounds(delta)))
      .returning({ quota: users.quota }),
  )
  if (!user) throw yield* refusalFor(tx, user_id, delta)
  const entry = { user_id, kind, delta, balance_after: user.quota, actor_id, reference, remark, created_time: now() }
  const inserted = yield* run(tx.insert(ledger).values(entry).onConflictDoNothing().returning({ id: ledger.id }))
  if (!inserted.length) throw new Refusal('wallet.already_credited')
  return user.quota
}

const withinBounds = (delta: number) =>
  delta < 0 ? gte(users.quota, -delta) : lte(users.quota, Number.MAX_SAFE_INTEGER - delta)

function* refusalFor(tx: Tx, user_id: number, delta: number) {
  const [user] = yield* run(tx.select({ quota: users.quota }).from(users).where(eq(users.id, user_id)))
  if (!user) return notFound()
  const params = { balance: user.quota, delta: Math.abs(delta) }
  return new Refusal(delta < 0 ? 'wallet.balance_too_small' : 'wallet.balance_too_large', params, 400)
}
