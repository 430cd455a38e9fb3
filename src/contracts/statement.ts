/** Account statement: credits and daily usage of whole months, with the balance after each. */
import { z } from 'zod'
import { isMonth } from '../pure/month.ts'
import { type LedgerKind, ledgerKinds } from './ledger.ts'
import { absent, listingOf } from './paging.ts'
import { USERS_PATH } from './user.ts'

export const STATEMENT_PATH = '/app/statement'

/** The statement of a user for administrators. */
export const statementPathOf = (user_id: number): string => `${USERS_PATH}/${user_id}/statement`

export const STATEMENT_KINDS = ['usage', ...ledgerKinds] as const
export type StatementKind = LedgerKind | 'usage'

/** Limit of one request. */
export const STATEMENT_MONTHS_MAX = 24

/** An entry of the ledger, or the usage of a day, which is booked at the day's end. */
const StatementRow = z.object({
  kind: z.enum(STATEMENT_KINDS),
  /** UTC, as `2026-11-22`. */
  day: z.string(),
  /** Unix seconds; of usage the start of the day. */
  created_time: z.int(),
  /** Quota; negative for usage. */
  delta: z.int(),
  /** Balance after the row: that of the row before plus `delta`. */
  balance_after: z.int(),
  /** Calls of the day; 0 in an entry of the ledger. */
  calls: z.int(),
  /** Code, order, day, transfer, task or request; empty for none. */
  reference: z.string(),
  /** Words of the administrator; empty for none. */
  remark: z.string(),
  /** Name of the acting user, for administrators; null for the system. */
  actor: z.string().nullable(),
})
export type StatementRow = z.output<typeof StatementRow>

/** A month of UTC: `opening` with all its rows is `closing`. */
const StatementMonth = z.object({
  month: z.string(),
  opening: z.int(),
  /** Sum of the ledger. */
  credited: z.int(),
  /** Sum of the usage, not negative. */
  used: z.int(),
  closing: z.int(),
})
export type StatementMonth = z.output<typeof StatementMonth>

/** The rows and the months, newest first. A kind leaves rows out; their balances stay those of the whole statement. */
export const StatementListing = listingOf(StatementRow)
  .extend({ months: z.array(StatementMonth) })
  .meta({ id: 'Statement' })
export type StatementListing = z.output<typeof StatementListing>

const present = (text: unknown) => (typeof text === 'string' && absent.has(text) ? undefined : text)
export const StatementMonthFilter = z.preprocess(
  present,
  z.string().refine(isMonth, 'statement.month_invalid').optional(),
)

export const StatementKindFilter = z.preprocess(present, z.enum(STATEMENT_KINDS, 'statement.kind_unknown').optional())

/** `from` and `to` are months of UTC, inclusive: see `periodOf`. */
export const StatementQuery = z.object({
  from: StatementMonthFilter,
  to: StatementMonthFilter,
  kind: StatementKindFilter,
  p: z.string().optional(),
  page_size: z.string().optional(),
})
