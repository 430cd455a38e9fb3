/** CSV export of an account statement. */
import { kindName, referenceText } from '../../../views/statement/words.ts'
import { fromQuota } from '../../billing/quota.ts'
import type { StatementRow } from '../../contracts/statement.ts'
import type { Visit } from '../../contracts/visit.ts'
import { translator } from '../../locales/index.ts'
import { exact } from '../../pure/time.ts'
import { type CsvColumn, csvResponse } from '../../web/csv.ts'

const BATCH_ROWS = 100

/** @param whole includes the acting administrator */
export function exportStatement(file: string, rows: StatementRow[], visit: Visit, whole: boolean): Response {
  const columns = columnsOf(visit).filter(column => whole || !column.operators)
  // A header holds ASCII; user names may be others.
  return csvResponse({
    user_id: visit.caller!.id,
    name: file.replace(/[^\w.-]/g, '_'),
    columns,
    batches: batchesOf(rows),
  })
}

async function* batchesOf(rows: StatementRow[]): AsyncGenerator<StatementRow[]> {
  for (let from = 0; from < rows.length; from += BATCH_ROWS) yield rows.slice(from, from + BATCH_ROWS)
}

interface Column extends CsvColumn<StatementRow> {
  operators?: boolean
}

function columnsOf({ language, status }: Visit): Column[] {
  const t = translator(language)
  return [
    { head: t('statement.day'), cell: row => row.day },
    { head: t('statement.time'), cell: row => (row.kind === 'usage' ? '' : exact(row.created_time, 'UTC').slice(11)) },
    { head: t('statement.what'), cell: row => kindName(row.kind, t) },
    { head: t('statement.calls'), cell: row => row.calls || '' },
    { head: t('statement.change'), cell: row => Number(fromQuota(row.delta, status)) },
    { head: t('statement.balance'), cell: row => Number(fromQuota(row.balance_after, status)) },
    { head: t('statement.change_quota'), cell: row => row.delta },
    { head: t('statement.balance_quota'), cell: row => row.balance_after },
    { head: t('statement.reference'), cell: row => referenceText(row) },
    { head: t('statement.remark'), cell: row => row.remark },
    { head: t('statement.actor'), cell: row => row.actor ?? '', operators: true },
  ]
}
