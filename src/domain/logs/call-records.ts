/** Records of calls: written with the bill, read by their page, deleted after `CallRecordDays`. */
import { and, eq, gte, inArray, lte } from 'drizzle-orm'
import { WriteBehind } from '../../cluster/write-behind.ts'
import type { CallRecord } from '../../contracts/call-record.ts'
import { atomic, run } from '../../db/atomic.ts'
import { bulkInsert } from '../../db/bulk-insert.ts'
import { db, type Tx } from '../../db/database.ts'
import { option } from '../options/index.ts'
import { decodeRecord } from './record-codec.ts'
import { callRecords, type LogRow, logs } from './table.ts'

export type NewCallRecord = typeof callRecords.$inferInsert

export const keepsRecords = (): boolean => option('CallRecordDays') > 0

/** Writes records as part of the transaction that ends their calls. */
export function* recordCalls(tx: Tx, records: readonly NewCallRecord[]) {
  if (records.length) yield* run(insert(tx, records))
}

const insert = bulkInsert(['request_id', 'user_id', 'created_at', 'record'], (tx, rows) =>
  tx.insert(callRecords).values(rows).onConflictDoNothing(),
)

/** A client that repeats refused calls may not write more than those that are served: of one second the first are kept. */
const REFUSED_MAX = 100

const refused = new WriteBehind<string, NewCallRecord>('refused-calls', entries =>
  atomic(tx => recordCalls(tx, [...entries.values()])),
)

/** Leaves the record of a call that has no bill, a second later. */
export function recordRefusedCall(record: NewCallRecord) {
  if (refused.size < REFUSED_MAX) refused.set(record.request_id, record)
}

export interface StoredCallRecord {
  request_id: string
  user_id: number
  created_at: number
  record: CallRecord
}

/** @param user_id whose call it has to be; of all users unless given. @returns undefined where none is kept */
export async function findRecord(request_id: string, user_id?: number): Promise<StoredCallRecord | undefined> {
  const stored = () => db.select().from(callRecords).where(eq(callRecords.request_id, request_id))
  const row = refused.get(request_id) ?? (await stored())[0]
  if (!row || (user_id !== undefined && row.user_id !== user_id)) return undefined
  const record = decodeRecord(row.record)
  return record && { ...row, record }
}

export async function hasRecord(request_id: string): Promise<boolean> {
  const found = await db
    .select({ at: callRecords.created_at })
    .from(callRecords)
    .where(eq(callRecords.request_id, request_id))
  return found.length > 0
}

/** Entries are written in the second in which their call ends, or a little later. */
const SECONDS_APART = 1
const ENTRIES_MAX = 20

/** The entries of a recorded call, by the index of its user: there is none by request id. */
export async function entriesOfRecord({
  request_id,
  user_id,
  created_at,
  record,
}: StoredCallRecord): Promise<LogRow[]> {
  const from = created_at - Math.ceil(record.times.written / 1000) - SECONDS_APART
  const own = and(eq(logs.user_id, user_id), eq(logs.request_id, request_id))
  const between = (start: number, end: number) =>
    db
      .select()
      .from(logs)
      .where(and(own, gte(logs.created_at, start), lte(logs.created_at, end), inArray(logs.type, [0, 2, 6])))
      .limit(ENTRIES_MAX)
  const atEnd = await between(created_at - SECONDS_APART, created_at + SECONDS_APART)
  return atEnd.length ? atEnd : between(from, created_at + SECONDS_APART)
}
