/** Writing the usage log: what happened, for people to read. No balance depends on it. */
import { atomic, run } from '../../db/atomic.ts'
import { bulkInsert } from '../../db/bulk-insert.ts'
import type { Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { logs } from './table.ts'

/** What there is to say; the rest is blank, the moment is now. */
export type NewLog = Omit<typeof logs.$inferInsert, 'id' | 'created_at'> & { created_at?: number }

/** Writes one entry in a transaction of its own. */
export const writeLog = (entry: NewLog): Promise<void> => atomic(tx => recordLog(tx, entry))

export function* recordLog(tx: Tx, entry: NewLog) {
  yield* recordAll(tx, [entry])
}

/** For the settling transaction: thousands a second. */
export function* recordAll(tx: Tx, entries: readonly NewLog[]) {
  yield* run(insert(tx, entries.map(whole)))
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

/** Callers choose model names and cause error texts: one that PostgreSQL cannot hold must not stop a bill. */
const whole = (entry: NewLog) => ({
  ...blank,
  created_at: now(),
  ...entry,
  model_name: storable(entry.model_name),
  content: storable(entry.content),
})

const storable = (text = '') => (text.includes('\0') ? text.replaceAll('\0', '') : text)

const columns = ['user_id', 'type', 'created_at', ...Object.keys(blank)]
const insert = bulkInsert(columns, (db, rows) => db.insert(logs).values(rows))
