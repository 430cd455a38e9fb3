/** CSV export of a list of tasks, streamed while it is read. */
import type { TaskItem } from '../../../views/tasks/task.ts'
import { costOf, tookOf } from '../../../views/tasks/task.ts'
import { actionText, reasonText, stateOf } from '../../../views/tasks/words.ts'
import { fromQuota } from '../../billing/quota.ts'
import type { TaskLog } from '../../contracts/task-list.ts'
import type { Visit } from '../../contracts/visit.ts'
import { type TaskScope, walkTasks } from '../../domain/tasks/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { day, exact } from '../../pure/time.ts'
import { type CsvColumn, csvResponse } from '../../web/csv.ts'
import { named } from './entries.ts'
import { itemOf } from './items.ts'

/** @param whole includes operators' columns */
export function exportTasks(log: TaskLog, scope: TaskScope, visit: Visit, whole: boolean): Response {
  return csvResponse({
    user_id: visit.caller!.id,
    name: `${log === 'drawing' ? 'drawings' : 'tasks'}-${day(now(), visit.zone)}`,
    columns: columnsOf(log, visit).filter(column => whole || !column.operators),
    batches: walkItems(scope, whole),
  })
}

async function* walkItems(scope: TaskScope, whole: boolean) {
  for await (const rows of walkTasks(scope)) yield (await named(rows, whole)).map(itemOf)
}

interface Column extends CsvColumn<TaskItem> {
  operators?: boolean
}

function columnsOf(log: TaskLog, { language, zone, status }: Visit): Column[] {
  const t = translator(language)
  const time = (ms: number) => (ms ? exact(Math.floor(ms / 1000), zone) : '')
  const took = (task: TaskItem) => {
    const ms = tookOf(task)
    return ms === undefined ? '' : ms / 1000
  }
  return [
    { head: t('log.time'), cell: task => time(task.submit_ms) },
    { head: t('log.user'), cell: task => task.username, operators: true },
    { head: t('task.action'), cell: task => actionText(task.action, t) },
    { head: t('log.model'), cell: task => task.model },
    { head: t('task.prompt'), cell: task => task.prompt },
    ...(log === 'drawing' ? [{ head: t('task.prompt_en'), cell: (task: TaskItem) => task.prompt_en }] : []),
    { head: t('task.state'), cell: task => t(stateOf(task.status).word) },
    { head: t('task.progress'), cell: task => `${task.progress}%` },
    { head: t('task.reason'), cell: task => reasonText(task.fail_reason, t) },
    { head: t('task.started'), cell: task => time(task.start_ms) },
    { head: t('task.finished'), cell: task => time(task.finish_ms) },
    { head: t('log.took_s'), cell: took },
    { head: t('task.charged_quota'), cell: task => task.charged },
    { head: t('task.refunded_quota'), cell: task => task.refunded },
    { head: t('log.cost'), cell: task => fromQuota(costOf(task), status) },
    {
      head: t('log.channel'),
      cell: task => (task.channel_id ? `#${task.channel_id} ${task.channel_name}` : ''),
      operators: true,
    },
    { head: t('task.id'), cell: task => task.mj_id || task.task_id },
  ]
}
