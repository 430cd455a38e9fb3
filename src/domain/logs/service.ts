/** Writes the usage log: what happened, for people to read. No balance depends on it. */
import { atomic, run } from '../../db/atomic.ts'
import { bulkInsert } from '../../db/bulk-insert.ts'
import type { Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { assign } from '../../pure/assign.ts'
import { logs } from './table.ts'

/** Absent fields are blank, an absent moment is now. */
export type NewLog = Omit<typeof logs.$inferInsert, 'id' | 'created_at'> & { created_at?: number }

export const writeLog = (entry: NewLog) => atomic(tx => recordAll(tx, [entry]))

/** Writes entries as part of a transaction: settling calls this thousands of times a second. */
export function* recordAll(tx: Tx, entries: readonly NewLog[]) {
  yield* run(insert(tx, entries.map(logRowOf)))
}

const blank = {
  username: '',
  token_id: 0,
  token_name: '',
  model_name: '',
  group: '',
  channel: 0,
  is_stream: false,
  use_time: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  quota: 0,
  content: '',
  request_id: '',
  other: '',
}

/** Clients choose model names and cause error texts: a U+0000, which PostgreSQL refuses, must not stop a bill. */
export function logRowOf(entry: NewLog): NewLog {
  const row: NewLog = assign<NewLog>({ user_id: 0, type: 0, created_at: now(), ...blank }, entry)
  row.model_name = withoutNul(entry.model_name)
  row.content = withoutNul(entry.content)
  return row
}

const withoutNul = (text = '') => (text.includes('\0') ? text.replaceAll('\0', '') : text)

const columns = ['user_id', 'type', 'created_at', ...Object.keys(blank)]
const insert = bulkInsert(columns, (db, rows) => db.insert(logs).values(rows))
