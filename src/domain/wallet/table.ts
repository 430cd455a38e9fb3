/** Ledger, settlements and reservations. */
import { sql } from 'drizzle-orm'
import type { LedgerKind } from '../../contracts/ledger.ts'
import { column as c } from '../../db/columns.ts'
import { users } from '../users/table.ts'

/** Every change of a balance that is not usage. Append-only. */
export const ledger = c.table(
  'ledger',
  {
    id: c.id(),
    user_id: c
      .whole()
      .notNull()
      .references(() => users.id),
    kind: c.text().$type<LedgerKind>().notNull(),
    delta: c.whole().notNull(),
    balance_after: c.whole().notNull(),
    /** Acting user's id; 0 for the system. */
    actor_id: c.whole().notNull().default(0),
    /** Code, order, day, transfer, task or request. A user is credited once per kind and reference. */
    reference: c.text().notNull().default(''),
    /** Words of the administrator. */
    remark: c.text().notNull().default(''),
    created_time: c.whole().notNull(),
  },
  entry => [
    c.index('ledger_user').on(entry.user_id, entry.id),
    c.unique('ledger_reference').on(entry.user_id, entry.kind, entry.reference).where(sql`${entry.reference} <> ''`),
  ],
)

/** Request ids of settled calls: a call is billed once, however often settling is tried. */
export const settlements = c.table(
  'settlements',
  {
    request_id: c.text().primaryKey(),
    created_time: c.whole().notNull(),
  },
  settlement => [c.index('settlements_created').on(settlement.created_time)],
)

/** Open reservations, on PostgreSQL only: SQLite's single process keeps them in memory, where a crash releases them. */
export const reservations = c.table(
  'reservations',
  {
    request_id: c.text().primaryKey(),
    user_id: c.whole().notNull(),
    token_id: c.whole().notNull(),
    quota: c.whole().notNull(),
    node: c.text().notNull(),
    created_time: c.whole().notNull(),
  },
  row => [c.index('reservations_user').on(row.user_id), c.index('reservations_token').on(row.token_id)],
)

/** Usage from before this installation: of users, tokens and channels that came from another gateway. */
export const openings = c.table(
  'openings',
  {
    /** `user`, `token` or `channel`. */
    owner: c.text().$type<OpeningOwner>().notNull(),
    owner_id: c.whole().notNull(),
    used_quota: c.whole().notNull(),
    /** Calls of a user; 0 for others. */
    request_count: c.whole().notNull().default(0),
  },
  row => [c.primary({ columns: [row.owner, row.owner_id] })],
)

export type OpeningOwner = 'user' | 'token' | 'channel'
