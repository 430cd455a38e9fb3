/** Log entries as the wire has them: with channel names for administrators, without operators' fields for users. */
import { detailsOf, type LogEntry } from '../../contracts/log.ts'
import { channelNames } from '../../domain/channels/index.ts'
import type { LogRow } from '../../domain/logs/index.ts'

/** @param whole includes operators' fields */
export async function entriesOf(rows: LogRow[], whole: boolean): Promise<LogEntry[]> {
  if (!whole) return rows.map(withoutOperator)
  const channels = await channelNames([...new Set(rows.map(row => row.channel))])
  const names = new Map(channels.map(({ id, name }) => [id, name]))
  return rows.map(row => ({ ...row, channel_name: names.get(row.channel) ?? '' }))
}

const operators = ['admin_info', 'channel_id', 'channel_name', 'channel_type', 'is_model_mapped', 'upstream_model_name']

function withoutOperator(row: LogRow): LogEntry {
  const shown = Object.entries(detailsOf(row)).filter(([name]) => !operators.includes(name))
  return { ...row, channel: 0, channel_name: '', other: shown.length ? JSON.stringify(Object.fromEntries(shown)) : '' }
}
