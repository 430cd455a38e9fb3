/** Columns of the usage explorer. */
import type { ReactNode } from 'react'
import { PageLink } from '../../client/components/link.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Column, Sort } from '../../client/components/table.tsx'
import type { ExplorerColumn, ExplorerSort, UsageSums } from '../../src/contracts/dashboard.ts'
import { LogType } from '../../src/contracts/log.ts'
import type { Translate } from '../../src/locales/index.ts'
import { grouped } from '../../src/pure/number.ts'
import { type LogsView, logsAt } from '../logs/view.ts'
import { isGrain } from './labels.ts'
import { type DashboardView, dashboardAt, hitRate, sortOf } from './view.ts'

/** A line of the table: a row, the rest of a group, or the total. */
export interface Line extends UsageSums {
  id: string
  level: 1 | 2
  name: string
  /** Where the name leads. */
  href?: string
  owner?: string
  /** Filter of the usage log; undefined where it has none for these calls. */
  filter?: Partial<LogsView>
  isTotal?: boolean
}

export function columnsOf(view: DashboardView, t: Translate): Column<Line>[] {
  const column = (id: ExplorerColumn, head: string, cell: Column<Line>['cell']): Column<Line> => ({
    id,
    head,
    sort: sortedBy(view, id),
    number: true,
    cell,
  })
  const name = t(isGrain(view.rows) ? `dashboard.${view.rows}` : `dashboard.name_${view.rows}`)
  const cost = (line: Line) => <Figure of={line.quota} line={line} text={<Quota of={line.quota} decimals={6} />} />
  return [
    { ...column('name', name, line => <Name line={line} />), number: false, phone: 'title' },
    column('calls', t('dashboard.calls'), line => <Figure of={line.calls} line={line} main />),
    {
      ...column('failed', t('dashboard.failed'), line => (
        <Figure of={line.failed} line={line} type={LogType.error} main />
      )),
    },
    column('input', t('dashboard.input'), line => <Figure of={line.prompt_tokens} line={line} />),
    column('cached', t('dashboard.cached'), line => <Figure of={line.cache_read_tokens} line={line} />),
    column('hit', t('dashboard.hit'), line => (
      <Figure of={line.cache_read_tokens} line={line} text={`${(hitRate(line) * PER_CENT).toFixed(1)}%`} />
    )),
    column('output', t('dashboard.output'), line => <Figure of={line.completion_tokens} line={line} />),
    { ...column('cost', t('dashboard.cost'), cost), phone: 'figure' },
    {
      id: 'counts',
      head: t('dashboard.calls'),
      phone: 'detail',
      className: 'sm:hidden',
      cell: line => <Counts line={line} />,
    },
  ]
}

const PER_CENT = 100

/** The table by this column, the most first and names from the first letter; by the same column again the other way round. */
function sortedBy(view: DashboardView, column: ExplorerColumn): Sort {
  const sort = sortOf(view)
  const other: ExplorerSort = sort === column ? `-${column}` : column
  const isUpward = sort === (column === 'name' ? 'name' : `-${column}`)
  const order = sort.replace('-', '') !== column ? undefined : isUpward ? 'ascending' : 'descending'
  return { order, href: dashboardAt({ ...view, sort: other, page: 1 }) }
}

function Name({ line: { name, owner, href, level } }: { line: Line }) {
  const text = (
    <>
      {name}
      {owner && <span className="ink-3"> · {owner}</span>}
    </>
  )
  return (
    <span className={level === 2 ? 'within' : undefined}>
      {href ? (
        <PageLink className="hover:underline" href={href}>
          {text}
        </PageLink>
      ) : (
        text
      )}
    </span>
  )
}

/** Calls and failures in words, on a phone's card. */
function Counts({ line: { calls, failed, filter } }: { line: Line }) {
  const { t } = usePageContext()
  const text = t('dashboard.calls_and_failed', { calls: grouped(calls), failed: grouped(failed) })
  return filter ? <a href={logsAt(filter)}>{text}</a> : text
}

interface FigureProps {
  of: number
  line: Line
  /** The calls that it counts: served ones by default. */
  type?: LogType
  /** In the place of the number. */
  text?: ReactNode
  /** Is reached by the keyboard: further figures of a line open the same calls. */
  main?: boolean
}

function Figure({ of, line: { filter }, type = LogType.consume, text = grouped(of), main }: FigureProps) {
  if (!of) return <span className="ink-3">–</span>
  if (!filter) return text
  return (
    <a className="figure" href={logsAt({ ...filter, type })} tabIndex={main ? undefined : -1}>
      {text}
    </a>
  )
}
