/** A list of tasks as its address describes it: the list, and what is open over it. */
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { taskColumns } from '../../../views/tasks/columns.tsx'
import { TaskDrawer } from '../../../views/tasks/drawer.tsx'
import { ConfirmFail } from '../../../views/tasks/operations.tsx'
import { PromptDialog } from '../../../views/tasks/prompt-dialog.tsx'
import { NextPart, SamePart, type TaskPart, Tasks, titleOf } from '../../../views/tasks/tasks.tsx'
import { rangeOf, type TasksView, taskAddresses } from '../../../views/tasks/view.ts'
import { Viewer } from '../../../views/tasks/viewer.tsx'
import { Role, type SessionUser } from '../../contracts/account.ts'
import { idsIn } from '../../contracts/list-address.ts'
import { isSettled } from '../../contracts/task.ts'
import { cursorIn, platformsOf, type TaskLog } from '../../contracts/task-list.ts'
import { channelNames } from '../../domain/channels/index.ts'
import { option } from '../../domain/options/index.ts'
import {
  countTasks,
  findTask,
  type ListedTask,
  listTasks,
  neighboursOf,
  type TaskScope,
  tasksById,
  UNFINISHED_STATUSES,
  userIdOf,
} from '../../domain/tasks/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { commaList } from '../../pure/lists.ts'
import { typed } from '../../pure/time.ts'
import { hiddenColumns, type PageRequest } from '../list-page.ts'
import { spanOf } from '../list-range.ts'
import { render, renderOverlay, renderPart, wantsOverlay, wantsPart } from '../page.tsx'
import { named } from './entries.ts'
import { detailOf, itemOf } from './items.ts'

const { query } = taskAddresses.drawing
export const TasksQuery = query

export type TasksPage = PageRequest<z.output<typeof query>> & { log: TaskLog }

export const isOperator = ({ role }: SessionUser) => role >= Role.admin

/** The next part alone where the browser has those before it. */
export async function show(page: TasksPage): Promise<Response> {
  const { request, visit, caller, log } = page
  if (wantsOverlay(request)) return renderOverlay(request, visit, await overlayOf(page))
  const view = viewOf(page)
  const scope = await scopeOf(page, view)
  const after = cursorIn(page.query.after)
  const asked = { limit: visit.page_size + 1, after }
  const rows = await listTasks(scope, asked)
  const part = await partOf(page, rows.slice(0, visit.page_size), rows.length > visit.page_size)
  if (after && wantsPart(request)) return renderPart(visit, <NextPart {...part} />)
  const [channel] = isOperator(caller) && view.channel !== undefined ? await channelNames([view.channel]) : []
  const content = (
    <Tasks
      {...part}
      {...(await countTasks(scope, asked, rows.length))}
      channel={channel}
      isContinued={after !== undefined}
      isPushed={log === 'drawing' && option('MjNotifyEnabled')}
      overlay={await overlayOf(page)}
    />
  )
  return render(request, visit, content, { title: translator(visit.language)(titleOf(view)) })
}

/** Rows that the browser shows already; the whole page for one that does not poll. */
export async function showRows(page: TasksPage): Promise<Response> {
  const { request, visit, caller, log } = page
  if (!wantsPart(request)) return show(page)
  const rows = await tasksById(permission(log, caller), idsIn(commaList(page.query.ids ?? '')))
  return renderPart(visit, <SamePart {...(await partOf(page, rows, false))} />)
}

async function partOf(page: TasksPage, rows: ListedTask[], has_more: boolean): Promise<TaskPart> {
  const { request, caller, log } = page
  const whole = isOperator(caller)
  return {
    view: viewOf(page),
    isOperator: whole,
    hidden: hiddenColumns(request, taskColumns[log]),
    items: (await named(rows, whole)).map(itemOf),
    has_more,
  }
}

/** A custom range without dates starts as the usual range. */
export function viewOf({ visit: { zone }, query, log }: TasksPage): TasksView {
  const { page: _, ...filters } = taskAddresses[log].viewOf(query)
  if (filters.range !== 'custom' || filters.from || filters.to) return { log, ...filters }
  const { start_timestamp = 0, end_timestamp = 0 } = spanOf({ range: rangeOf({ log }) }, now(), zone)
  return { log, ...filters, from: typed(start_timestamp, zone), to: typed(end_timestamp, zone) }
}

const permission = (log: TaskLog, caller: SessionUser): TaskScope => ({
  platforms: platformsOf(log),
  ...(!isOperator(caller) && { user_id: caller.id, is_owner: true }),
})

const statesOf = { unfinished: UNFINISHED_STATUSES, SUCCESS: ['SUCCESS'], FAILURE: ['FAILURE'] } as const

/** The tasks of a view that the caller may see. */
export async function scopeOf({ visit, caller, log }: TasksPage, view: TasksView): Promise<TaskScope> {
  const { start_timestamp, end_timestamp } = spanOf({ ...view, range: rangeOf(view) }, now(), visit.zone)
  const { state, action, task, channel, username } = view
  const whole = isOperator(caller)
  return {
    ...permission(log, caller),
    action,
    statuses: state && statesOf[state],
    ...(log === 'drawing' ? { upstream_id: task } : { task_id: task }),
    from_ms: start_timestamp && start_timestamp * MS_PER_SECOND,
    to_ms: end_timestamp && end_timestamp * MS_PER_SECOND + MS_PER_SECOND - 1,
    ...(whole && { channel_id: channel }),
    ...(whole && username !== undefined && { user_id: await userIdOf(username) }),
  }
}

const MS_PER_SECOND = 1000

async function overlayOf(page: TasksPage): Promise<ReactNode> {
  const { query, caller, log } = page
  const view = viewOf(page)
  const id = query.open ?? query.prompt ?? query.prompt_en ?? query.fail
  const row = id && (await findTask(permission(log, caller), id))
  if (!row) return undefined
  const whole = isOperator(caller)
  const [one] = await named([row], whole)
  const detail = detailOf(one!, row, whole)
  if (query.prompt || query.prompt_en)
    return <PromptDialog view={view} task={detail} isEnglish={query.prompt === undefined} />
  if (query.fail) return whole && !isSettled(row.status) ? <ConfirmFail view={view} task={detail} /> : undefined
  if (log === 'tasks' || !detail.pictures.length) return <TaskDrawer view={view} task={detail} />
  return <Viewer view={view} task={detail} {...(await neighboursOf(await scopeOf(page, view), row))} />
}
