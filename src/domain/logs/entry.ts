/** Entries as the wire has them: whole for administrators, without what is the operator's for users. */
import { inArray } from 'drizzle-orm'
import { detailsOf, type LogEntry } from '../../contracts/log.ts'
import { db } from '../../db/database.ts'
import { channels } from '../channels/table.ts'
import type { LogRow } from './table.ts'

/** @param whole whether operators' facts belong in them. */
export async function entriesOf(rows: LogRow[], whole: boolean): Promise<LogEntry[]> {
  if (!whole) return rows.map(withoutOperator)
  const names = await namesOf([...new Set(rows.map(row => row.channel))])
  return rows.map(row => ({ ...row, channel_name: names.get(row.channel) ?? '' }))
}

async function namesOf(ids: number[]): Promise<Map<number, string>> {
  const rows = await db.select({ id: channels.id, name: channels.name }).from(channels).where(inArray(channels.id, ids))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const operators = ['admin_info', 'channel_id', 'channel_name', 'channel_type', 'is_model_mapped', 'upstream_model_name']

function withoutOperator(row: LogRow): LogEntry {
  const shown = Object.entries(detailsOf(row)).filter(([name]) => !operators.includes(name))
  return { ...row, channel: 0, channel_name: '', other: shown.length ? JSON.stringify(Object.fromEntries(shown)) : '' }
}
