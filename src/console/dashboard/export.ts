/** CSV export of the usage explorer. */
import { isGrain, labelOf } from '../../../views/dashboard/labels.ts'
import { type DashboardView, type ExplorerRow, type ExplorerRows, hitRate } from '../../../views/dashboard/view.ts'
import { fromQuota } from '../../billing/quota.ts'
import type { Visit } from '../../contracts/visit.ts'
import { translator } from '../../locales/index.ts'
import type { Translate } from '../../locales/translator.ts'
import { now } from '../../process/clock.ts'
import { day } from '../../pure/time.ts'
import { type CsvColumn, csvResponse } from '../../web/csv.ts'
import type { Explorer } from './explorer.ts'

/** Rows whose second level is read together. */
const BATCH_ROWS = 100

/** A row of the last level, with that of the first one. */
interface Line {
  outer: ExplorerRow
  row: ExplorerRow
}

export function exportUsage(explorer: Explorer, view: DashboardView, visit: Visit): Response {
  return csvResponse({
    user_id: visit.caller!.id,
    name: `usage-by-${[view.rows, view.split].filter(Boolean).join('-')}-${day(now(), visit.zone)}`,
    columns: columnsOf(view, visit),
    batches: batchesOf(explorer, view),
  })
}

async function* batchesOf({ sums, groupsOf }: Explorer, { split }: DashboardView): AsyncGenerator<Line[]> {
  for (let from = 0; from < sums.length; from += BATCH_ROWS) {
    const groups = await groupsOf(sums.slice(from, from + BATCH_ROWS), Number.POSITIVE_INFINITY)
    yield groups.flatMap(outer => (split ? outer.within.map(row => ({ outer, row })) : [{ outer, row: outer }]))
  }
}

function columnsOf({ rows, split }: DashboardView, { language, status }: Visit): CsvColumn<Line>[] {
  const t = translator(language)
  return [
    ...levelOf(rows, ({ outer }) => outer, t),
    ...(split ? levelOf(split, ({ row }) => row, t) : []),
    { head: t('dashboard.calls'), cell: ({ row }) => row.calls },
    { head: t('dashboard.failed'), cell: ({ row }) => row.failed },
    { head: t('dashboard.input'), cell: ({ row }) => row.prompt_tokens },
    { head: t('dashboard.cached'), cell: ({ row }) => row.cache_read_tokens },
    { head: t('dashboard.hit'), cell: ({ row }) => Number(hitRate(row).toFixed(HIT_DECIMALS)) },
    { head: t('dashboard.output'), cell: ({ row }) => row.completion_tokens },
    { head: t('dashboard.cost'), cell: ({ row }) => Number(fromQuota(row.quota, status)) },
    { head: t('dashboard.cost_quota'), cell: ({ row }) => row.quota },
  ]
}

const HIT_DECIMALS = 4

function levelOf(by: ExplorerRows, of: (line: Line) => ExplorerRow, t: Translate): CsvColumn<Line>[] {
  if (isGrain(by)) return [{ head: t(`dashboard.${by}`), cell: line => of(line).name }]
  const name = { head: t(`dashboard.name_${by}`), cell: (line: Line) => labelOf(by, of(line), t) }
  return by === 'token' ? [name, { head: t('dashboard.owner'), cell: line => of(line).owner ?? '' }] : [name]
}
