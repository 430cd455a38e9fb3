/** Reads the account statement of a user: Σ ledger − Σ usage, row by row. */
import { type AnyColumn, and, eq, gt, gte, lt, type SQL, sql } from 'drizzle-orm'
import { notFound } from '../../contracts/refusal.ts'
import type { StatementKind, StatementMonth, StatementRow } from '../../contracts/statement.ts'
import { db } from '../../db/database.ts'
import { total } from '../../db/fragments.ts'
import { monthAfter, monthOf, monthStart } from '../../pure/month.ts'
import { day } from '../../pure/time.ts'
import { usageHours } from '../usage/table.ts'
import { users } from '../users/table.ts'
import { ledger } from '../wallet/table.ts'

const DAY_SECONDS = 86_400

/** Months of UTC, inclusive. */
export interface StatementPeriod {
  first: string
  last: string
}

export interface Statement {
  /** Newest first. */
  months: StatementMonth[]
  /** Newest first. */
  rows: StatementRow[]
}

/**
 * Days and months are those of UTC: usage is summed by hours of UTC, which a zone with half hours would split, and the
 * statement is the same for the user, the administrator and the printed page.
 * @throws Refusal 404
 */
export async function statementOf(user_id: number, { first, last }: StatementPeriod): Promise<Statement> {
  const [from, until] = [monthStart(first), monthStart(monthAfter(last))]
  const found: FoundRow[] = await statementQuery(user_id, from, until)
  const closing = found.find(({ kind }) => kind === 'closing')
  if (!closing) throw notFound('user.not_found')
  const rows = found.filter(isRow).sort(newestFirst)
  return withBalances(rows, closing.delta, { first, last })
}

const isRow = (row: FoundRow): row is FoundRow & { kind: StatementKind } => row.kind !== 'closing'

type RowKind = StatementKind | 'closing'

interface FoundRow extends Omit<StatementRow, 'kind' | 'day' | 'balance_after'> {
  id: number
  kind: RowKind
}

/**
 * Entries, days and the balance at the end in one statement, which sees one state of a database in use. That balance is
 * the present one without what came later: recent months, which are read most, need no older row.
 */
export function statementQuery(user_id: number, from: number, until: number) {
  const entries = db
    .select({
      id: whole(ledger.id),
      kind: sql<RowKind>`${ledger.kind}`,
      created_time: whole(ledger.created_time),
      delta: whole(ledger.delta),
      calls: whole(sql.raw('0')),
      reference: text(ledger.reference),
      remark: text(ledger.remark),
      actor: sql<string | null>`${users.username}`,
    })
    .from(ledger)
    .leftJoin(users, eq(users.id, ledger.actor_id))
    .where(and(eq(ledger.user_id, user_id), gte(ledger.created_time, from), lt(ledger.created_time, until)))
  const start = whole(sql`${usageHours.hour} - ${usageHours.hour} % ${sql.raw(String(DAY_SECONDS))}`)
  const days = db
    .select(rowOf('usage', { created_time: start, delta: whole(sql`-${used}`), calls: total(usageHours.calls) }))
    .from(usageHours)
    .where(and(eq(usageHours.user_id, user_id), gte(usageHours.hour, from), lt(usageHours.hour, until), isServed))
    .groupBy(start)
  const laterEntries = and(eq(ledger.user_id, user_id), gte(ledger.created_time, until))
  const credited = db
    .select({ sum: total(ledger.delta) })
    .from(ledger)
    .where(laterEntries)
  const laterUsage = and(eq(usageHours.user_id, user_id), gte(usageHours.hour, until))
  const spent = db.select({ sum: used }).from(usageHours).where(laterUsage)
  const closing = db
    .select(rowOf('closing', { delta: whole(sql`${users.quota} - (${credited}) + (${spent})`) }))
    .from(users)
    .where(eq(users.id, user_id))
  return entries.unionAll(days).unionAll(closing)
}

/** Not of failed attempts alone. */
const isServed = gt(usageHours.calls, 0)

/** What was charged: a refund is an entry of its own. */
const used = total(sql`${usageHours.quota} + ${usageHours.refunded}`)
const whole = (value: SQL | AnyColumn) => sql<number>`${value}`.mapWith(Number)
const text = (value: AnyColumn) => sql<string>`${value}`

/** The columns of a row that is no entry of the ledger. */
const rowOf = (
  kind: RowKind,
  {
    created_time = whole(sql.raw('0')),
    calls = whole(sql.raw('0')),
    delta,
  }: Partial<Record<'created_time' | 'calls', SQL<number>>> & { delta: SQL<number> },
) => ({
  id: whole(sql.raw('0')),
  kind: sql<RowKind>`${sql.raw(`'${kind}'`)}`,
  created_time,
  delta,
  calls,
  reference: sql<string>`''`,
  remark: sql<string>`''`,
  actor: sql<string | null>`cast(null as text)`,
})

function withBalances(
  found: (FoundRow & { kind: StatementKind })[],
  closing: number,
  { first, last }: StatementPeriod,
): Statement {
  const rows: StatementRow[] = []
  const months: StatementMonth[] = []
  let balance = closing
  for (let month = last; month >= first; month = monthAfter(month, -1)) {
    const sums = { month, opening: 0, credited: 0, used: 0, closing: balance }
    for (; found[rows.length] && monthOf(found[rows.length]!.created_time) === month; ) {
      const { id, ...row } = found[rows.length]!
      rows.push({ ...row, day: day(row.created_time, 'UTC'), balance_after: balance })
      balance -= row.delta
      if (row.kind === 'usage') sums.used -= row.delta
      else sums.credited += row.delta
    }
    months.push({ ...sums, opening: balance })
  }
  return { months, rows }
}

/** The usage of a day is booked after its entries. */
function newestFirst(one: FoundRow, other: FoundRow): number {
  const days = startOf(other) - startOf(one)
  if (days) return days
  if (one.kind === 'usage' || other.kind === 'usage') return one.kind === 'usage' ? -1 : 1
  return other.id - one.id
}

const startOf = ({ created_time }: FoundRow) => created_time - (created_time % DAY_SECONDS)
