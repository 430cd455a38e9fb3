/** The two lists of tasks. Further parts are fetched when the last one is reached; unfinished rows refresh while they are seen. */
import BellRing from 'lucide/dist/esm/icons/bell-ring.mjs'
import type { ReactNode } from 'react'
import { ColumnChoice } from '../../client/components/column-choice.tsx'
import { Empty, NoMatch } from '../../client/components/empty.tsx'
import { ExportLink } from '../../client/components/export-link.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Overlay, PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { Table, TableBody, type TableProps } from '../../client/components/table.tsx'
import { cursorText, taskLogRanges } from '../../src/contracts/task-list.ts'
import { grouped } from '../../src/pure/number.ts'
import { clock } from '../../src/pure/time.ts'
import { columnChoices, columnsOf } from './columns.tsx'
import { TaskFilters } from './filters.tsx'
import { isUnfinished, type TaskItem } from './task.ts'
import { filterCount, type TasksView, tasksAction, tasksAt, tasksCsv } from './view.ts'
import { actionText } from './words.ts'

/** A part of a list. */
export interface TaskPart {
  view: TasksView
  isOperator: boolean
  /** Ids of hidden columns. */
  hidden: string[]
  items: TaskItem[]
  /** More tasks follow. */
  has_more: boolean
}

interface TasksProps extends TaskPart {
  /** The chosen channel, when it still exists. */
  channel?: { id: number; name: string }
  total: number
  /** `total` is a lower bound. */
  capped: boolean
  /** The list begins behind a task. */
  isContinued: boolean
  /** Upstreams push the state of drawings. */
  isPushed: boolean
  /** Drawer or dialog over the list. */
  overlay?: ReactNode
}

export function Tasks({ channel, total, capped, isContinued, isPushed, overlay, ...part }: TasksProps) {
  const { t } = usePageContext()
  const { view, isOperator, hidden, items } = part
  return (
    <>
      <PageHead title={t(titleOf(view))} small={grouped(total) + (capped ? '+' : '')}>
        <ColumnChoice
          action={tasksAction({ log: view.log }, 'columns')}
          choices={columnChoices(view.log, t, isOperator)}
          hidden={hidden}
          returnTo={tasksAt(view)}
        />
        <ExportLink href={tasksCsv(view)} />
      </PageHead>
      {isPushed && (
        <p className="note mb-4">
          <Icon of={BellRing} />
          <span>{t('task.pushed')}</span>
        </p>
      )}
      <TaskFilters view={view} isOperator={isOperator} channel={channel} />
      {isContinued && (
        <PageLink className="btn btn-ghost btn-sm mb-2" href={tasksAt(view)}>
          {t('task.newest')}
        </PageLink>
      )}
      {items.length ? <List {...part} /> : <NoTasks view={view} />}
      <Overlay>{overlay}</Overlay>
    </>
  )
}

export const titleOf = ({ log }: Pick<TasksView, 'log'>) => (log === 'drawing' ? 'task.drawings' : 'task.tasks')

function List(part: TaskPart) {
  return <Table {...useTable(part)} more={part.has_more && <More {...part} />} />
}

/** Rows that follow those before them, and the link to the next ones. */
export const NextPart = (part: TaskPart) => (
  <>
    <TableBody {...useTable(part)} />
    {part.has_more && <More {...part} />}
  </>
)

/** Rows that are shown already, as they are now. */
export const SamePart = (part: TaskPart) => <TableBody {...useTable(part)} />

function useTable(part: TaskPart): TableProps<TaskItem> {
  const { t, zone } = usePageContext()
  const { view, isOperator, hidden, items } = part
  return {
    label: t(titleOf(view)),
    columns: columnsOf({ t, view, isOperator, hidden }),
    rows: items,
    keyOf: task => task.id,
    nameOf: task => `${actionText(task.action, t)}, ${clock(Math.floor(task.submit_ms / 1000), zone)}`,
    body: { id: `part-${items[0]?.id}`, ...pollOf(part) },
  }
}

const POLL = 'every 5s, visibilitychange from:document'

/** htmx attributes of rows of which some are unfinished. */
const pollOf = ({ view, items }: TaskPart) =>
  items.some(isUnfinished)
    ? {
        'hx-get': tasksAction(view, 'rows', { ids: items.map(({ id }) => id) }),
        'hx-trigger': POLL,
        'hx-swap': 'outerMorph',
        'data-while-seen': '',
      }
    : {}

/** Fetches the next part when it comes into view; without a script it leads to it. */
function More({ view, isOperator, hidden, items }: TaskPart) {
  const { t } = usePageContext()
  const href = tasksAt(view, { after: cursorText(items.at(-1)!) })
  const columns = useColumnCount(view, isOperator, hidden)
  return (
    <tbody id="more" role="rowgroup">
      <tr role="row" className="more-row">
        <td colSpan={columns} role="cell">
          <a
            className="btn btn-ghost btn-sm"
            href={href}
            hx-get={href}
            hx-target="#more"
            hx-swap="outerHTML"
            hx-trigger="click, revealed"
            hx-sync="drop"
          >
            {t('task.more')}
          </a>
        </td>
      </tr>
    </tbody>
  )
}

const FIXED_COLUMNS = 3

function useColumnCount({ log }: TasksView, isOperator: boolean, hidden: string[]): number {
  const { t } = usePageContext()
  return FIXED_COLUMNS + columnChoices(log, t, isOperator).filter(({ id }) => !hidden.includes(id)).length
}

function NoTasks({ view }: { view: TasksView }) {
  const { t } = usePageContext()
  const { log } = view
  if (filterCount(view))
    return (
      <NoMatch text={t('task.none_match')} all={tasksAt({ log })}>
        {t('log.clear_filters')}
      </NoMatch>
    )
  return (
    <Empty drawing="slip" text={t(log === 'drawing' ? 'task.no_drawings' : 'task.no_tasks')}>
      {taskLogRanges[log] !== '30d' && (
        <PageLink className="btn" href={tasksAt({ log, range: '30d' })}>
          {t('log.show_more')}
        </PageLink>
      )}
    </Empty>
  )
}
