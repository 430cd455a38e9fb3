/** Balances and usage that came from another gateway. */
import { eq } from 'drizzle-orm'
import { run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { total } from '../../db/fragments.ts'
import { now } from '../../process/clock.ts'
import { ledger, type OpeningOwner, openings } from './table.ts'

interface OpenedBalance {
  user_id: number
  /** May be negative. */
  quota: number
  /** Once per user. */
  reference: string
}

/** The ledger of new users, whose rows have their balance already. */
export function* recordBalances(tx: Tx, balances: OpenedBalance[]) {
  const created_time = now()
  const rows = balances
    .filter(({ quota }) => quota !== 0)
    .map(({ quota, ...row }) => ({ ...row, kind: 'import' as const, delta: quota, balance_after: quota, created_time }))
  if (rows.length) yield* run(tx.insert(ledger).values(rows))
}

interface Opening {
  owner_id: number
  used_quota: number
  request_count?: number
}

/** What the counters of new rows begin with. */
export function* recordOpenings(tx: Tx, owner: OpeningOwner, rows: Opening[]) {
  const used = rows.filter(({ used_quota, request_count = 0 }) => used_quota !== 0 || request_count !== 0)
  if (used.length) yield* run(tx.insert(openings).values(used.map(row => ({ owner, ...row }))))
}

/** Quota of all balances that came from other gateways. */
export async function importedBalances(): Promise<number> {
  const [row] = await db
    .select({ quota: total(ledger.delta) })
    .from(ledger)
    .where(eq(ledger.kind, 'import'))
  return row!.quota
}
