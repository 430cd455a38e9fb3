/** CSV export of the usage log, streamed while it is read. */
import { typeName } from '../../../views/logs/entry.ts'
import { fromQuota } from '../../billing/quota.ts'
import { detailsOf, type LogEntry } from '../../contracts/log.ts'
import type { Visit } from '../../contracts/visit.ts'
import { type LogScope, walk } from '../../domain/logs/index.ts'
import { translator } from '../../locales/index.ts'
import type { Language } from '../../locales/languages.ts'
import { now } from '../../process/clock.ts'
import { day, exact } from '../../pure/time.ts'
import { type CsvColumn, csvResponse } from '../../web/csv.ts'
import { entriesOf } from './entries.ts'

/** @param whole includes operators' columns */
export function exportLogs(scope: LogScope, visit: Visit, whole: boolean): Response {
  const columns = columnsOf(visit).filter(column => whole || !column.operators)
  return csvResponse({
    user_id: visit.caller!.id,
    name: `usage-${day(now(), visit.zone)}`,
    columns,
    batches: walkEntries(scope, whole, visit.language),
  })
}

async function* walkEntries(scope: LogScope, whole: boolean, language: Language) {
  for await (const rows of walk(scope)) yield entriesOf(rows, whole, language)
}

interface Column extends CsvColumn<LogEntry> {
  operators?: boolean
}

function columnsOf({ language, zone, status }: Visit): Column[] {
  const t = translator(language)
  return [
    { head: t('log.time'), cell: entry => exact(entry.created_at, zone) },
    { head: t('log.type'), cell: entry => t(typeName(entry.type)) },
    { head: t('log.user'), cell: entry => entry.username, operators: true },
    { head: t('log.token'), cell: entry => entry.token_name },
    { head: t('log.model'), cell: entry => entry.model_name },
    { head: t('log.group'), cell: entry => entry.group },
    {
      head: t('log.channel'),
      cell: entry => (entry.channel ? `#${entry.channel} ${entry.channel_name}` : ''),
      operators: true,
    },
    { head: t('log.input'), cell: entry => entry.prompt_tokens },
    { head: t('log.output'), cell: entry => entry.completion_tokens },
    { head: t('token.quota'), cell: entry => entry.quota },
    { head: t('log.cost'), cell: entry => fromQuota(entry.quota, status) },
    { head: t('log.first_ms'), cell: entry => detailsOf(entry).frt },
    { head: t('log.took_s'), cell: entry => entry.use_time },
    { head: t('log.note'), cell: entry => entry.content },
    { head: t('log.request'), cell: entry => entry.request_id },
  ]
}
