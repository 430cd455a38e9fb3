/** The audit: recomputes every balance and counter from the ledger and the hourly usage. */
import { type AnyColumn, and, asc, between, eq, gt, lt, sql } from 'drizzle-orm'
import { db } from '../../db/database.ts'
import { count, total } from '../../db/fragments.ts'
import { channels } from '../channels/table.ts'
import { tokens } from '../tokens/table.ts'
import { usageHours } from '../usage/table.ts'
import { users } from '../users/table.ts'
import { ledger, type OpeningOwner, openings } from './table.ts'

/** Each check is one statement, which sees a consistent state of a database in use; a chunk keeps it short. */
const CHUNK_USERS = 500

interface Audit {
  /** Numbers of checked rows. */
  users: number
  tokens: number
  channels: number
  entries: number
  /** The first wrong figure, as an English sentence. */
  difference?: string
}

/** User ids, inclusive. */
interface Range {
  first: number
  last: number
}

/** Checks all rows and stops at the first difference. Reads only. */
export async function auditWallets(): Promise<Audit> {
  const audit: Audit = { users: 0, tokens: 0, channels: 0, entries: 0 }
  for (let range = await rangeAfter(0); range; range = await rangeAfter(range.last)) {
    audit.difference = (await usersIn(range, audit)) ?? (await ledgerIn(range)) ?? (await tokensIn(range, audit))
    if (audit.difference) return audit
  }
  audit.difference = await allChannels(audit)
  return audit
}

async function rangeAfter(id: number): Promise<Range | undefined> {
  const next = await db
    .select({ id: users.id })
    .from(users)
    .where(gt(users.id, id))
    .orderBy(asc(users.id))
    .limit(CHUNK_USERS)
  return next.length ? { first: next[0]!.id, last: next.at(-1)!.id } : undefined
}

async function usersIn(range: Range, audit: Audit): Promise<string | undefined> {
  const rows = await accountsIn(range)
  audit.users += rows.length
  for (const { id, name, quota, used_quota, request_count, ...sums } of rows) {
    const { credited, entries, refunded, refunds, opened, opened_calls, ...since } = withZeros(sums)
    const { used, calls } = since
    const charged = used + refunded
    const subject = `user ${id} (${name})`
    const difference =
      compare(subject, 'quota', quota, credited - charged, `the ledger's ${credited} less the usage of ${charged}`) ??
      compare(subject, 'the usage taken back', refunded, refunds, "the ledger's refunds") ??
      compare(subject, 'used_quota', used_quota, used + opened, 'the usage') ??
      compare(subject, 'request_count', request_count, calls + opened_calls, 'the usage')
    if (difference) return difference
    audit.entries += entries
  }
}

/** Balances of users beside the sums of their ledger and usage. */
function accountsIn({ first, last }: Range) {
  const credits = db
    .select({
      user_id: ledger.user_id,
      credited: total(ledger.delta).as('credited'),
      refunds: total(sql`case when ${ledger.kind} = 'refund' then ${ledger.delta} else 0 end`).as('refunds'),
      entries: count().as('entries'),
    })
    .from(ledger)
    .where(between(ledger.user_id, first, last))
    .groupBy(ledger.user_id)
    .as('credits')
  const usage = db
    .select({
      user_id: usageHours.user_id,
      used: total(usageHours.quota).as('used'),
      refunded: total(usageHours.refunded).as('refunded'),
      calls: total(usageHours.calls).as('calls'),
    })
    .from(usageHours)
    .where(between(usageHours.user_id, first, last))
    .groupBy(usageHours.user_id)
    .as('usage')
  return db
    .select({
      id: users.id,
      name: users.username,
      quota: users.quota,
      used_quota: users.used_quota,
      request_count: users.request_count,
      credited: credits.credited,
      entries: credits.entries,
      refunds: credits.refunds,
      used: usage.used,
      refunded: usage.refunded,
      calls: usage.calls,
      opened: openings.used_quota,
      opened_calls: openings.request_count,
    })
    .from(users)
    .leftJoin(credits, eq(credits.user_id, users.id))
    .leftJoin(usage, eq(usage.user_id, users.id))
    .leftJoin(openings, isOpeningOf('user', users.id))
    .where(between(users.id, first, last))
    .orderBy(asc(users.id))
}

const isOpeningOf = (owner: OpeningOwner, id: AnyColumn) => and(eq(openings.owner, owner), eq(openings.owner_id, id))

/** Between two ledger entries a balance changes by the second entry and by usage, which only takes away. */
async function ledgerIn({ first, last }: Range): Promise<string | undefined> {
  const chain = db
    .select({
      id: ledger.id,
      user_id: ledger.user_id,
      delta: ledger.delta,
      balance_after: ledger.balance_after,
      before:
        sql<number>`lag(${ledger.balance_after}, 1, 0) over (partition by ${ledger.user_id} order by ${ledger.id})`
          .mapWith(Number)
          .as('before'),
    })
    .from(ledger)
    .where(between(ledger.user_id, first, last))
    .as('chain')
  const [broken] = await db
    .select()
    .from(chain)
    .where(lt(sql`${chain.before} + ${chain.delta}`, chain.balance_after))
    .orderBy(asc(chain.id))
    .limit(1)
  if (!broken) return
  const { id, user_id, delta, balance_after, before } = broken
  const entry = `ledger entry ${id} of user ${user_id}`
  return `${entry}: balance_after is ${balance_after}, but ${before} with ${delta} is at most ${before + delta}`
}

async function tokensIn({ first, last }: Range, audit: Audit): Promise<string | undefined> {
  const usage = usageBy(usageHours.token_id, between(usageHours.user_id, first, last))
  const rows = await db
    .select({ id: tokens.id, name: tokens.name, used_quota: tokens.used_quota, used: usage.used, ...opened })
    .from(tokens)
    .leftJoin(usage, eq(usage.id, tokens.id))
    .leftJoin(openings, isOpeningOf('token', tokens.id))
    .where(between(tokens.user_id, first, last))
    .orderBy(asc(tokens.id))
  audit.tokens += rows.length
  return firstDifference('token', rows)
}

async function allChannels(audit: Audit): Promise<string | undefined> {
  const usage = usageBy(usageHours.channel_id)
  const rows = await db
    .select({ id: channels.id, name: channels.name, used_quota: channels.used_quota, used: usage.used, ...opened })
    .from(channels)
    .leftJoin(usage, eq(usage.id, channels.id))
    .leftJoin(openings, isOpeningOf('channel', channels.id))
    .orderBy(asc(channels.id))
  audit.channels += rows.length
  return firstDifference('channel', rows)
}

const usageBy = (owner: typeof usageHours.token_id | typeof usageHours.channel_id, where = and()) =>
  db
    .select({ id: sql<number>`${owner}`.mapWith(Number).as('spender_id'), used: total(usageHours.quota).as('used') })
    .from(usageHours)
    .where(where)
    .groupBy(owner)
    .as('usage')

/** The join leaves null where there was nothing to sum. */
const withZeros = <Sums extends Record<string, number | null>>(sums: Sums) =>
  Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum ?? 0])) as Record<keyof Sums, number>

type Spender = { id: number; name: string; used_quota: number; used: number | null; opened: number | null }

const opened = { opened: openings.used_quota }

function firstDifference(noun: string, rows: Spender[]): string | undefined {
  for (const { id, name, used_quota, used, opened } of rows) {
    const sum = (used ?? 0) + (opened ?? 0)
    const difference = compare(`${noun} ${id} (${name})`, 'used_quota', used_quota, sum, 'the usage')
    if (difference) return difference
  }
}

function compare(subject: string, figure: string, is: number, shouldBe: number, source: string): string | undefined {
  if (is !== shouldBe)
    return `${subject}: ${figure} is ${is}, but ${source} makes it ${shouldBe}: a difference of ${is - shouldBe}`
}
