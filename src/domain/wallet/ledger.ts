/** Reads the ledger of a user. */
import { and, desc, eq, type SQL } from 'drizzle-orm'
import type { LedgerEntry, LedgerKind } from '../../contracts/ledger.ts'
import type { Listing, Paging } from '../../contracts/paging.ts'
import { db } from '../../db/database.ts'
import { count } from '../../db/fragments.ts'
import { users } from '../users/table.ts'
import { ledger } from './table.ts'

/** Newest first. */
export async function ledgerOf(user_id: number, { page, size, offset }: Paging): Promise<Listing<LedgerEntry>> {
  const condition = eq(ledger.user_id, user_id)
  const items = await select(condition).orderBy(desc(ledger.id)).limit(size).offset(offset)
  const [all] = await db.select({ total: count() }).from(ledger).where(condition)
  return { items, total: all!.total, page, page_size: size }
}

/** @returns undefined for an entry of another user */
export async function ledgerEntryOf(user_id: number, id: number): Promise<LedgerEntry | undefined> {
  const [entry] = await select(and(eq(ledger.user_id, user_id), eq(ledger.id, id)))
  return entry
}

/** The newest credit of a kind. */
export async function lastCreditOf(user_id: number, kind: LedgerKind): Promise<LedgerEntry | undefined> {
  const [entry] = await select(and(eq(ledger.user_id, user_id), eq(ledger.kind, kind)))
    .orderBy(desc(ledger.id))
    .limit(1)
  return entry
}

const { id, kind, delta, balance_after, reference, remark, created_time } = ledger

const select = (condition: SQL | undefined) =>
  db
    .select({ id, kind, delta, balance_after, reference, remark, created_time, actor: users.username })
    .from(ledger)
    .leftJoin(users, eq(users.id, ledger.actor_id))
    .where(condition)
