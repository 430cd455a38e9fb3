/** Budgets, and what was used of them by window. */
import { sql } from 'drizzle-orm'
import type { BudgetOwner, BudgetUnit, BudgetWindowKind } from '../../contracts/budget.ts'
import { column as c } from '../../db/columns.ts'

/** A limit of what a user, an API key or a channel uses in a window of time. */
export const budgets = c.table(
  'budgets',
  {
    id: c.id(),
    owner: c.text().$type<BudgetOwner>().notNull(),
    owner_id: c.whole().notNull(),
    name: c.text().notNull(),
    /** The only models that count; empty for all. */
    models: c.json<string[]>().notNull(),
    unit: c.text().$type<BudgetUnit>().notNull(),
    amount: c.whole().notNull(),
    window: c.text().$type<BudgetWindowKind>().notNull(),
    /** Length of a rolling or fixed window; else 0. */
    seconds: c.whole().notNull().default(0),
    /** Unix seconds at which a fixed window begins; else 0. */
    anchor: c.whole().notNull().default(0),
    /** IANA name, of a day, week or month; else empty. */
    zone: c.text().notNull().default(''),
    /** A call that does not fit is refused; else there are notices alone. */
    refuses: c.flag().notNull(),
    created_time: c.whole().notNull(),
    /** Unix seconds: of the hours before it some are deleted, with their windows. */
    pruned_until: c.whole().notNull().default(0),
    /** Of a channel: a rule for each of its keys by itself. Nothing is booked in it, but in the budgets that it has made. */
    per_key: c.flag().notNull().default(false),
    /** The rule of a budget that counts one key of a channel; 0 for others. */
    rule_id: c.whole().notNull().default(0),
    /** Start of the SHA-256 of that key. */
    key_hash: c.text().notNull().default(''),
  },
  row => [
    c.index('budgets_owner').on(row.owner, row.owner_id),
    c.unique('budgets_rule').on(row.rule_id, row.key_hash).where(sql`${row.key_hash} <> ''`),
  ],
)

export type BudgetRow = typeof budgets.$inferSelect

/** Windows in which something was used. Of a budget no two overlap. */
export const budgetWindows = c.table(
  'budget_windows',
  {
    budget_id: c.whole().notNull(),
    /** Unix seconds, inclusive. */
    start: c.whole().notNull(),
    /** Unix seconds, exclusive. */
    end: c.whole().notNull(),
    used: c.whole().notNull().default(0),
    /** Percent of the last notice; 0 for none. */
    noticed: c.whole().notNull().default(0),
  },
  row => [c.primary({ columns: [row.budget_id, row.start] })],
)

/** What was booked in a window by the hour of the bill, so that the audit can compare it with the hourly usage. */
export const budgetHours = c.table(
  'budget_hours',
  {
    budget_id: c.whole().notNull(),
    /** Of the window; `OUTSIDE` for calls that began before the budget was made. */
    start: c.whole().notNull(),
    /** Unix seconds of the hour's start. */
    hour: c.whole().notNull(),
    used: c.whole().notNull(),
  },
  row => [c.primary({ columns: [row.budget_id, row.hour, row.start] })],
)

/** What running calls hold, on PostgreSQL only: SQLite's single process keeps it in memory. */
export const budgetHolds = c.table(
  'budget_holds',
  {
    request_id: c.text().notNull(),
    budget_id: c.whole().notNull(),
    start: c.whole().notNull(),
    amount: c.whole().notNull(),
  },
  row => [
    c.primary({ columns: [row.request_id, row.budget_id] }),
    c.index('budget_holds_window').on(row.budget_id, row.start),
  ],
)
