/** The usage explorer: rows of one or two levels with their figures, each of which opens its calls. */
import { ExportLink } from '../../client/components/export-link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { Table } from '../../client/components/table.tsx'
import type { UsageBy } from '../../src/contracts/dashboard.ts'
import { channelAt, keyAt, keysOfAt, modelAt, playgroundOf } from '../layout/things.tsx'
import { rangeFilter, rowFilter } from './calls.ts'
import { columnsOf, type Line } from './explorer-columns.tsx'
import { isGrain, labelOf } from './labels.ts'
import {
  type DashboardFigures,
  type DashboardView,
  dashboardAt,
  type ExplorerFigures,
  type ExplorerRow,
  type ExplorerRows,
  explorerCsv,
} from './view.ts'

interface ExplorerProps {
  view: DashboardView
  figures: DashboardFigures
  explored: ExplorerFigures
}

export const ExplorerExport = ({ view }: { view: DashboardView }) => <ExportLink href={explorerCsv(view)} />

export function Explorer({ view, figures, explored }: ExplorerProps) {
  const { t } = usePageContext()
  const { rows, split } = view
  const title = t(isGrain(rows) ? `dashboard.per_${rows}` : `dashboard.by_${rows}`)
  return (
    <>
      <Table
        label={split ? t('dashboard.by_both', { by: title, split: t(`dashboard.in_${split}`) }) : title}
        columns={columnsOf(view, t)}
        rows={useLines({ view, figures, explored })}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        classOf={({ level, isTotal }) => (isTotal ? 'total' : level === 2 ? 'within' : split && 'group')}
        dense
      />
      <Pager
        page={explored.page}
        size={explored.size}
        total={explored.count}
        hrefOf={page => dashboardAt({ ...view, page, open: undefined })}
      />
    </>
  )
}

function useLines({ view, figures, explored }: ExplorerProps): Line[] {
  const { t, zone } = usePageContext()
  const { rows, split } = view
  const range = rangeFilter(figures, zone)
  const lines: Line[] = []
  for (const [index, group] of explored.groups.entries()) {
    const { within, rest, ...sums } = group
    const outer = rowFilter(rows, group, zone)
    const filter = outer && { ...range, ...outer }
    lines.push({ ...sums, ...lineOf(rows, group), id: `${index}`, level: 1, filter })
    for (const [at, row] of within.entries()) {
      const inner = rowFilter(split!, row, zone)
      const both = filter && inner && { ...filter, ...inner }
      lines.push({ ...row, ...lineOf(split!, row), id: `${index}-${at}`, level: 2, filter: both })
    }
    if (rest.count) {
      const href = dashboardAt({ ...view, open: group.key })
      const name = t('dashboard.others', { count: rest.count })
      lines.push({ ...rest, id: `${index}-rest`, level: 2, name, href })
    }
  }
  return [
    ...lines,
    { ...explored.total, id: 'total', level: 1, name: t('dashboard.total'), filter: range, isTotal: true },
  ]

  function lineOf(by: ExplorerRows, row: ExplorerRow) {
    if (isGrain(by)) return { name: row.name }
    const href = by === 'user' && row.name ? dashboardAt(ofUser(view, Number(row.key))) : thingAt(by as UsageBy, row)
    return { name: labelOf(by as UsageBy, row, t), href }
  }
}

/** Where the thing itself opens. @returns undefined for groups, and what is deleted */
function thingAt(by: UsageBy, { key, name, owner }: ExplorerRow): string | undefined {
  if (!name) return undefined
  if (by === 'model') return modelAt(key)
  if (by === 'channel') return channelAt(Number(key))
  if (by !== 'token') return undefined
  if (!Number(key)) return playgroundOf(key)
  return owner === undefined ? keyAt(Number(key)) : keysOfAt(owner)
}

/** The explorer of one user: by what the user's row was divided, else by model. */
const ofUser = (view: DashboardView, id: number): DashboardView => ({
  ...view,
  of: id,
  rows: view.rows === 'user' ? (view.split ?? 'model') : view.rows,
  split: undefined,
  page: 1,
  open: undefined,
})
