/** Log entries as the wire has them: with channel names for administrators, without operators' fields for users. */
import { quotaText } from '../../billing/quota.ts'
import { Role, type SessionUser } from '../../contracts/account.ts'
import { detailsOf, type LogEntry, LogType } from '../../contracts/log.ts'
import { channelNames } from '../../domain/channels/index.ts'
import type { LogRow } from '../../domain/logs/index.ts'
import { currency } from '../../domain/options/index.ts'
import { isMessageKey, textOf } from '../../locales/index.ts'
import type { Language } from '../../locales/languages.ts'

/** Operators see the entries of all users, and the channels behind them. */
export const isOperator = ({ role }: SessionUser) => role >= Role.admin

/** @param whole includes operators' fields */
export async function entriesOf(rows: LogRow[], whole: boolean, language: Language): Promise<LogEntry[]> {
  const entries = rows.map(row => ({ ...row, content: contentOf(row, whole, language) }))
  if (!whole) return entries.map(withoutOperator)
  const channels = await channelNames([...new Set(rows.map(row => row.channel))])
  const names = new Map(channels.map(({ id, name }) => [id, name]))
  return entries.map(row => ({ ...row, channel_name: names.get(row.channel) ?? '' }))
}

const operators = ['admin_info', 'channel_id', 'channel_name', 'channel_type', 'is_model_mapped', 'upstream_model_name']

function withoutOperator(row: LogRow): LogEntry {
  const shown = Object.entries(detailsOf(row)).filter(([name]) => !operators.includes(name))
  return { ...row, channel: 0, channel_name: '', other: shown.length ? JSON.stringify(Object.fromEntries(shown)) : '' }
}

/** The note of an entry in the reader's language: entries that the site itself has written hold a message key. */
function contentOf(row: LogRow, whole: boolean, language: Language): string {
  if (row.type === LogType.error) return failureOf(row, language)
  if (!isMessageKey(row.content)) return row.content
  const { values = {}, params, admin_info } = detailsOf(row)
  const amounts = Object.fromEntries(Object.entries(values).map(([name, quota]) => [name, amount(quota)]))
  const text = textOf(language, { key: row.content, params: { ...params, ...amounts } })
  return whole && admin_info?.admin ? `${text} · ${admin_info.admin}` : text
}

function failureOf(row: LogRow, language: Language): string {
  const { message_key, params } = detailsOf(row)
  return message_key && isMessageKey(message_key) ? textOf(language, { key: message_key, params }) : row.content
}

const amount = (quota: number) => quotaText(quota, currency(), 6)
