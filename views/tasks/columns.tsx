/** Columns of the lists of tasks, and those that a reader can hide. */
import { Flag, State } from '../../client/components/badge.tsx'
import { optionalColumns } from '../../client/components/column-choice.tsx'
import { OverlayLink, PageLink } from '../../client/components/link.tsx'
import { At } from '../../client/components/moment.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Column } from '../../client/components/table.tsx'
import type { TaskLog } from '../../src/contracts/task-list.ts'
import type { Translate } from '../../src/locales/index.ts'
import { drawingPace, durationPace } from '../../src/pure/severity.ts'
import { ChannelName } from '../layout/things.tsx'
import { Duration, truncated } from '../logs/cells.tsx'
import { costOf, isUnfinished, type TaskItem, tookOf } from './task.ts'
import { type TasksView, tasksAt } from './view.ts'
import { actionText, reasonText, stateOf } from './words.ts'

const hiddenBelowRoom = 'max-[77rem]:hidden'
const inRoom = 'min-[77rem]:hidden'

const headings = {
  user: 'log.user',
  prompt: 'task.prompt',
  channel: 'log.channel',
  id: 'task.id',
  state: 'task.state',
  took: 'log.took',
} as const

const noRoom = { channel: inRoom, id: inRoom }

export const taskColumns = {
  drawing: optionalColumns('drawing-columns', headings, noRoom),
  tasks: optionalColumns('task-columns', headings, noRoom),
} satisfies Record<TaskLog, unknown>

type OptionalColumn = keyof typeof headings
const operatorsOnly: OptionalColumn[] = ['user', 'channel']

export const columnChoices = (log: TaskLog, t: Translate, isOperator: boolean) =>
  taskColumns[log].choices(t).filter(({ id }) => isOperator || !operatorsOnly.includes(id))

interface ColumnContext {
  t: Translate
  view: TasksView
  isOperator: boolean
  hidden: string[]
}

export function columnsOf({ t, view, isOperator, hidden }: ColumnContext): Column<TaskItem>[] {
  const shown = columnChoices(view.log, t, isOperator).filter(({ id }) => !hidden.includes(id))
  const cells = cellsOf(view)
  return [
    {
      id: 'time',
      head: t('log.time'),
      phone: 'side',
      className: 'ink-2',
      cell: task => <At at={Math.floor(task.submit_ms / 1000)} show="near" />,
    },
    { id: 'action', head: t('task.action'), phone: 'title', cell: task => <ActionCell task={task} view={view} /> },
    ...shown.map(({ id, label }) => ({ id, head: label, ...cells[id] })),
    { id: 'cost', head: t('log.cost'), phone: 'figure', number: true, cell: CostCell },
  ]
}

function cellsOf(view: TasksView): Record<OptionalColumn, Omit<Column<TaskItem>, 'id' | 'head'>> {
  const pace = view.log === 'drawing' ? drawingPace : durationPace
  return {
    user: {
      optional: true,
      cell: ({ username }) => (
        <PageLink className={`hover:underline ${truncated}`} href={tasksAt({ ...view, username })}>
          {username}
        </PageLink>
      ),
    },
    prompt: {
      optional: true,
      className: 'sm:w-full sm:max-w-0',
      cell: task => <PromptCell task={task} view={view} />,
    },
    channel: {
      optional: true,
      className: `ink-2 ${hiddenBelowRoom}`,
      cell: ({ channel_id, channel_name }) =>
        channel_id > 0 && <ChannelName id={channel_id} name={channel_name} className={truncated} />,
    },
    id: { optional: true, className: `ink-3 ${hiddenBelowRoom}`, cell: IdCell },
    state: { phone: 'detail', cell: task => <StateCell task={task} /> },
    took: { number: true, optional: true, cell: task => <Duration ms={tookOf(task)} paceOf={pace} /> },
  }
}

/** Opens the task. */
function ActionCell({ task, view }: { task: TaskItem; view: TasksView }) {
  const { t } = usePageContext()
  return (
    <>
      <OverlayLink href={tasksAt(view, { open: task.id })}>{actionText(task.action, t)}</OverlayLink>{' '}
      {task.is_deleted && <Flag>{t('task.deleted')}</Flag>}
    </>
  )
}

/** Opens the whole prompt. */
const PromptCell = ({ task, view }: { task: TaskItem; view: TasksView }) =>
  task.prompt ? (
    <OverlayLink className="ink-2 block truncate hover:underline" href={tasksAt(view, { prompt: task.id })}>
      {task.prompt}
    </OverlayLink>
  ) : (
    <span className="ink-3">—</span>
  )

const ID_SHOWN = 12

/** Ids begin alike: their ends tell them apart. */
function IdCell({ mj_id, task_id }: TaskItem) {
  const id = mj_id || task_id
  return (
    <span className="mono" title={id}>
      {id.length > ID_SHOWN ? `…${id.slice(-ID_SHOWN)}` : id}
    </span>
  )
}

function StateCell({ task }: { task: TaskItem }) {
  const { t } = usePageContext()
  const { word, tone } = stateOf(task.status)
  const reason = reasonText(task.fail_reason, t)
  if (task.status === 'FAILURE') {
    return (
      <span className={`${truncated} min-[75rem]:!max-w-64`} title={reason}>
        <State tone={tone}>{[t(word), reason].filter(Boolean).join(': ')}</State>
      </span>
    )
  }
  return (
    <span className="task-state">
      <State tone={tone}>{t(word)}</State>
      {isUnfinished(task) && <Progress task={task} />}
    </span>
  )
}

/** Bar and percent. */
export function Progress({ task: { progress } }: { task: Pick<TaskItem, 'progress'> }) {
  const { t } = usePageContext()
  return (
    <>
      <span
        className="meter"
        role="progressbar"
        aria-label={t('task.progress')}
        aria-valuenow={progress}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i style={{ width: `${progress}%` }} />
      </span>
      <span className="ink-3">{progress}%</span>
    </>
  )
}

/** What was kept; what was given back stands beside it. */
export function CostCell(task: TaskItem) {
  const { t } = usePageContext()
  if (!task.charged) return <span className="ink-3">—</span>
  return (
    <span className="inline-flex items-center gap-1.5">
      {task.refunded > 0 && <Flag>{t('task.refunded')}</Flag>}
      <Quota of={costOf(task)} decimals={6} />
    </span>
  )
}
