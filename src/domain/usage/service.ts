/** Hourly usage: the audit adds it up, dashboards show it. */
import { and, eq, gte, type SQL, sql } from 'drizzle-orm'
import { completionTokens, promptTokens } from '../../billing/usage.ts'
import { run } from '../../db/atomic.ts'
import { bulkInsert } from '../../db/bulk-insert.ts'
import { db, type Tx } from '../../db/database.ts'
import type { BilledCall } from '../wallet/index.ts'
import { HOUR_SECONDS, markLate } from './roll-up.ts'
import { usageHours } from './table.ts'

type Hour = Omit<Required<typeof usageHours.$inferInsert>, 'refunded' | 'failed'>
export type HourKey = Pick<Hour, (typeof keyColumns)[number]>

export const keyColumns = ['user_id', 'hour', 'token_id', 'channel_id', 'model', 'group'] as const
const zeros = {
  calls: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  quota: 0,
}
const sums = Object.keys(zeros) as (keyof typeof zeros)[]

/** Adds bills to the sums of their hours, as part of the transaction that settles them. */
export function* addUsage(tx: Tx, billed: readonly BilledCall[]) {
  const hours = hoursOf(billed)
  yield* run(addToHours(tx, hours))
  yield* markLate(tx, hours)
}

/** Adds rows to the sums of their hours. In the upsert, `excluded` is the row that was to be inserted. */
const addToHours = bulkInsert([...keyColumns, ...sums], (db, hours) => {
  const added = sums.map(name => [name, sql`${usageHours[name]} + ${sql.raw(`excluded.${name}`)}`])
  return db
    .insert(usageHours)
    .values(hours)
    .onConflictDoUpdate({ target: keyColumns.map(name => usageHours[name]), set: Object.fromEntries(added) })
})

/** A part of a bill, by the row of its hour. */
export interface QuotaOfHour extends Omit<Pick<Hour, (typeof keyColumns)[number]>, 'hour'> {
  /** Unix seconds of the bill. */
  at: number
  quota: number
}

/** Takes the quota of a bill out of its hour, as part of the transaction that refunds it. The call stays counted. */
export const takeBackUsage = (tx: Tx, usage: QuotaOfHour) =>
  changeHour(tx, usage, {
    quota: sql`${usageHours.quota} - ${usage.quota}`,
    refunded: sql`${usageHours.refunded} + ${usage.quota}`,
  })

/** Adds quota to a bill in its hour, as part of the transaction that charges it. */
export const addToUsage = (tx: Tx, usage: QuotaOfHour) =>
  changeHour(tx, usage, { quota: sql`${usageHours.quota} + ${usage.quota}` })

function* changeHour(tx: Tx, { at, quota: _, ...bill }: QuotaOfHour, sums: Partial<Record<'quota' | 'refunded', SQL>>) {
  const hour = at - (at % HOUR_SECONDS)
  const row = { ...bill, hour }
  const changed = yield* run(
    tx
      .update(usageHours)
      .set(sums)
      .where(and(...keyColumns.map(name => eq(usageHours[name], row[name]))))
      .returning({ hour: usageHours.hour }),
  )
  if (!changed.length) throw new Error(`no usage of user ${bill.user_id} in the hour ${hour} whose quota could change`)
  yield* markLate(tx, changed)
}

/** Distinguishes hourly rows, and puts them in the order in which every transaction writes them. */
export const orderOf = ({ user_id, hour, token_id, channel_id, group, model }: HourKey) =>
  `${user_id} ${hour} ${token_id} ${channel_id} ${group.length} ${group}${model}`

/** Sums the bills per hourly row, in an order that is the same on every node. */
function hoursOf(billed: readonly BilledCall[]): Hour[] {
  const byKey = new Map<string, Hour>()
  for (const call of billed) {
    const keys = keysOf(call)
    const key = orderOf(keys)
    const row = byKey.get(key)
    if (row) add(row, call.bill)
    else byKey.set(key, add({ ...keys, ...zeros }, call.bill))
  }
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}

/** What one bill adds to the row of its hour. */
export const hourOf = (call: BilledCall): Hour => add({ ...keysOf(call), ...zeros }, call.bill)

function keysOf({ user_id, token_id, at, bill: { channel_id, model, group } }: BilledCall): HourKey {
  return { user_id, hour: at - (at % HOUR_SECONDS), token_id, channel_id, model, group }
}

function add(row: Hour, { quota, usage }: BilledCall['bill']): Hour {
  row.calls += 1
  row.prompt_tokens += promptTokens(usage)
  row.completion_tokens += completionTokens(usage)
  row.cache_read_tokens += usage.cache_read
  row.cache_write_tokens += usage.cache_write_5m + usage.cache_write_1h
  row.quota += quota
  return row
}

/** What the calls of a key have cost from this hour on, in quota. @param token_id of the key. @param from unix seconds */
export async function quotaOfKey(token_id: number, from: number): Promise<number> {
  const [row] = await db
    .select({ quota: sql<number>`coalesce(sum(${usageHours.quota}), 0)`.mapWith(Number) })
    .from(usageHours)
    .where(and(eq(usageHours.token_id, token_id), gte(usageHours.hour, from)))
  return row!.quota
}
