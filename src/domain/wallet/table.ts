import { sql } from 'drizzle-orm'
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
    /** What it was: setup, admin, redeem, topup, check_in, transfer, reward, refund. */
    kind: c.text().notNull(),
    delta: c.whole().notNull(),
    balance_after: c.whole().notNull(),
    /** Who did it: a user id, 0 for the system. */
    actor_id: c.whole().notNull().default(0),
    /** What it is about: a code, an order, a task. A user is credited once per kind and reference. */
    reference: c.text().notNull().default(''),
    created_time: c.whole().notNull(),
  },
  entry => [
    c.index('ledger_user').on(entry.user_id, entry.id),
    c.unique('ledger_reference').on(entry.user_id, entry.kind, entry.reference).where(sql`${entry.reference} <> ''`),
  ],
)

/** All usage, summed by hour. With the ledger it adds up to every balance: Σ ledger − Σ quota. */
export const usageHours = c.table(
  'usage_hourly',
  {
    /** Unix seconds of the hour's start. */
    hour: c.whole().notNull(),
    user_id: c
      .whole()
      .notNull()
      .references(() => users.id),
    /** 0 where no token was used (the playground). */
    token_id: c.whole().notNull(),
    channel_id: c.whole().notNull(),
    model: c.text().notNull(),
    group: c.text().notNull(),
    calls: c.whole().notNull().default(0),
    prompt_tokens: c.whole().notNull().default(0),
    completion_tokens: c.whole().notNull().default(0),
    cache_read_tokens: c.whole().notNull().default(0),
    cache_write_tokens: c.whole().notNull().default(0),
    quota: c.whole().notNull().default(0),
  },
  row => [
    c.primary({ columns: [row.user_id, row.hour, row.token_id, row.channel_id, row.model, row.group] }),
    c.index('usage_hourly_hour').on(row.hour),
    c.index('usage_hourly_token').on(row.token_id),
  ],
)

/** Which calls have been settled: a request id is billed once, however often settling is tried. */
export const settlements = c.table(
  'settlements',
  {
    request_id: c.text().primaryKey(),
    created_time: c.whole().notNull(),
  },
  settlement => [c.index('settlements_created').on(settlement.created_time)],
)

/** Open reservations, on PostgreSQL only: SQLite's single process keeps them in memory, where a crash forgets them. */
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

/** Nodes that share this database, by their last sign of life: a dead node's reservations are swept. */
export const nodes = c.table('nodes', {
  id: c.text().primaryKey(),
  seen_time: c.whole().notNull(),
})
