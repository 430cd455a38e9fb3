/** Routes of the two lists of tasks: page, rows, export, columns, and what administrators do with a task. */
import { Elysia } from 'elysia'
import { taskColumns } from '../../../views/tasks/columns.tsx'
import { stateOf } from '../../../views/tasks/words.ts'
import { Id } from '../../contracts/paging.ts'
import { type TaskLog, taskLogPaths } from '../../contracts/task-list.ts'
import { askNow, failTask } from '../../domain/tasks/index.ts'
import { translator } from '../../locales/index.ts'
import { act, back, listPage, type PageRequest } from '../list-page.ts'
import { exportTasks } from './export.ts'
import { isOperator, scopeOf, show, showRows, type TasksPage, TasksQuery, viewOf } from './show.tsx'

const access = { userPage: 'signedIn', query: TasksQuery } as const
const forOperators = { userPage: 'admin', params: Id } as const

type OneTask = PageRequest & { params: { id: number } }

const pagesOf = (log: TaskLog) =>
  listPage(taskLogPaths[log], taskColumns[log])
    .derive(() => ({ log }))
    .get('', page => show(page), access)
    .get('/rows', page => showRows(page), access)
    .get('/export.csv', page => exportCsv(page), access)
    .post('/:id/ask', ask, forOperators)
    .post('/:id/fail', failAndRefund, forOperators)

export const taskPages = new Elysia().use(pagesOf('drawing')).use(pagesOf('tasks'))

async function exportCsv(page: TasksPage): Promise<Response> {
  return exportTasks(page.log, await scopeOf(page, viewOf(page)), page.visit, isOperator(page.caller))
}

async function ask(page: OneTask): Promise<Response> {
  return act(page, async () => {
    const { status } = await askNow(page.params.id)
    return back(page, 'task.asked', { state: translator(page.visit.language)(stateOf(status).word) })
  })
}

async function failAndRefund(page: OneTask): Promise<Response> {
  return act(page, async () => {
    await failTask(page.actor, page.params.id)
    return back(page, 'task.failed_now')
  })
}
