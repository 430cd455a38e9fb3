/** Proves that each credit of the ledger has its order, code use, day, transfer, rebate or task, and each of these its credit. */
import { type AnyColumn, and, asc, between, eq, gt, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { LedgerKind } from '../../contracts/ledger.ts'
import { db } from '../../db/database.ts'
import { count } from '../../db/fragments.ts'
import { orders, strayPayments } from '../payments/table.ts'
import { redemptionUses } from '../redemption/table.ts'
import { checkIns, rebates, transfers } from '../rewards/table.ts'
import { tasks } from '../tasks/table.ts'
import { users } from '../users/table.ts'
import { ledger } from '../wallet/table.ts'

/** Each check is one statement, which sees a consistent state of a database in use; a chunk keeps it short. */
const CHUNK_USERS = 500

/** What causes a credit. */
interface Cause {
  noun: string
  kind: LedgerKind
  table:
    | typeof orders
    | typeof strayPayments
    | typeof redemptionUses
    | typeof checkIns
    | typeof rebates
    | typeof transfers
    | typeof tasks
  user_id: AnyColumn
  quota: AnyColumn
  /** As the ledger has it. */
  reference: SQL<string>
  /** Credits of the kind that belong to this cause. */
  credits?: SQL
  where?: SQL
}

const asText = (column: AnyColumn) => sql<string>`cast(${column} as text)`
const STRAY = 'stray:'
const isStray = sql`${ledger.reference} like ${`${STRAY}%`}`

/** Refunds of calls have no row of their own: the audit of wallets compares them with the usage that they take back. */
const isOfCall = sql`${ledger.reference} like 'req!_%' escape '!'`

const causes: Cause[] = [
  {
    ...{ noun: 'use of code', kind: 'redeem', table: redemptionUses, user_id: redemptionUses.user_id },
    ...{ quota: redemptionUses.quota, reference: asText(redemptionUses.redemption_id) },
  },
  {
    ...{ noun: 'order', kind: 'topup', table: orders, user_id: orders.user_id, quota: orders.quota },
    ...{ reference: asText(orders.id), where: eq(orders.status, 'paid'), credits: sql`not (${isStray})` },
  },
  {
    ...{ noun: 'stray payment', kind: 'topup', table: strayPayments, user_id: strayPayments.user_id },
    ...{ quota: strayPayments.quota, reference: sql`${STRAY} || ${asText(strayPayments.id)}`, credits: isStray },
  },
  {
    ...{ noun: 'check-in', kind: 'check_in', table: checkIns, user_id: checkIns.user_id, quota: checkIns.quota },
    reference: sql`${checkIns.day}`,
  },
  {
    ...{ noun: 'transfer', kind: 'transfer', table: transfers, user_id: transfers.user_id, quota: transfers.quota },
    reference: asText(transfers.id),
  },
  {
    ...{ noun: 'rebate of order', kind: 'rebate', table: rebates, user_id: rebates.user_id, quota: rebates.quota },
    reference: asText(rebates.order_id),
  },
  {
    ...{ noun: 'task', kind: 'refund', table: tasks, user_id: tasks.user_id, quota: tasks.refunded },
    ...{ reference: sql`${tasks.task_id}`, credits: sql`not (${isOfCall})` },
  },
]

interface CreditsAudit {
  /** Number of checked causes. */
  credits: number
  /** The first difference, as an English sentence. */
  difference?: string
}

/** Checks all users and stops at the first difference. Reads only. */
export async function auditCredits(): Promise<CreditsAudit> {
  const audit: CreditsAudit = { credits: 0 }
  for (let first = await userAfter(0); first !== undefined; ) {
    const last = await lastOf(first)
    for (const cause of causes) {
      audit.difference = await differenceIn(cause, first, last, audit)
      if (audit.difference) return audit
    }
    first = await userAfter(last)
  }
  return audit
}

async function userAfter(id: number): Promise<number | undefined> {
  const [next] = await db.select({ id: users.id }).from(users).where(gt(users.id, id)).orderBy(asc(users.id)).limit(1)
  return next?.id
}

async function lastOf(first: number): Promise<number> {
  const isNext = gt(users.id, first - 1)
  const chunk = await db.select({ id: users.id }).from(users).where(isNext).orderBy(asc(users.id)).limit(CHUNK_USERS)
  return chunk.at(-1)!.id
}

/** Causes and credits are matched only where one lacks the other: their numbers are the same otherwise. */
async function differenceIn(cause: Cause, first: number, last: number, audit: CreditsAudit) {
  const lacking = await causeWithoutCredit(cause, first, last)
  if (lacking) return lacking
  const numbers = await numbersOf(cause, first, last)
  audit.credits += numbers.causes
  if (numbers.causes !== numbers.credits) return creditWithoutCause(cause, first, last)
}

/** An amount of 0 needs no credit. */
const causesIn = ({ user_id, quota, where }: Cause, first: number, last: number) =>
  and(between(user_id, first, last), ne(quota, 0), where)

const creditsIn = ({ kind, credits }: Cause, first: number, last: number) =>
  and(between(ledger.user_id, first, last), eq(ledger.kind, kind), ne(ledger.delta, 0), credits)

async function causeWithoutCredit(cause: Cause, first: number, last: number): Promise<string | undefined> {
  const { noun, kind, table, user_id, quota, reference } = cause
  // SQLite uses the partial index of the references only beside its own condition.
  const isCredit = and(
    ...[eq(ledger.user_id, user_id), eq(ledger.kind, kind), eq(ledger.reference, reference), ne(ledger.reference, '')],
  )
  const [row] = await db
    .select({ user_id: whole(user_id), quota: whole(quota), reference, delta: ledger.delta })
    .from(table)
    .leftJoin(ledger, isCredit)
    .where(and(causesIn(cause, first, last), or(isNull(ledger.id), ne(ledger.delta, quota))))
    .orderBy(asc(user_id), asc(reference))
    .limit(1)
  if (!row) return
  const subject = `${noun} ${row.reference.replace(STRAY, '')} of user ${row.user_id}`
  if (row.delta === null) return `${subject}: ${row.quota} quota have no credit in the ledger`
  return `${subject}: ${row.quota} quota, but its credit in the ledger is ${row.delta}`
}

async function numbersOf(cause: Cause, first: number, last: number): Promise<{ causes: number; credits: number }> {
  const of = db
    .select({ rows: count() })
    .from(cause.table)
    .where(causesIn(cause, first, last))
  const [numbers] = await db
    .select({ credits: count(), causes: whole(sql`(${of})`) })
    .from(ledger)
    .where(creditsIn(cause, first, last))
  return numbers!
}

async function creditWithoutCause(cause: Cause, first: number, last: number): Promise<string | undefined> {
  const { noun, kind, table, user_id, reference } = cause
  const isCause = and(eq(user_id, ledger.user_id), eq(reference, ledger.reference), cause.where)
  const [row] = await db
    .select({ id: ledger.id, user_id: ledger.user_id, delta: ledger.delta, reference: ledger.reference })
    .from(ledger)
    .leftJoin(table, isCause)
    .where(and(creditsIn(cause, first, last), isNull(user_id)))
    .orderBy(asc(ledger.id))
    .limit(1)
  if (!row) return
  const credit = `ledger entry ${row.id} of user ${row.user_id}: the credit of ${row.delta} (${kind})`
  return `${credit} has no ${noun} ${row.reference.replace(STRAY, '')}`
}

const whole = (value: SQL | AnyColumn) => sql<number>`${value}`.mapWith(Number)
