/** Addresses of the two lists of tasks. */
import { listAddress, rowId, type ViewOf } from '../../src/contracts/list-address.ts'
import type { LogsRange } from '../../src/contracts/log.ts'
import { optional } from '../../src/contracts/paging.ts'
import { type TaskLog, taskLogPaths, taskLogRanges, taskPageFilters } from '../../src/contracts/task-list.ts'

const addressFor = (log: TaskLog) =>
  listAddress(
    taskLogPaths[log],
    { ...taskPageFilters },
    {
      open: rowId,
      prompt: rowId,
      prompt_en: rowId,
      fail: rowId,
      /** Begins behind this task. */
      after: optional,
      /** Rows that are shown again. */
      ids: optional,
    },
  )

export const taskAddresses = { drawing: addressFor('drawing'), tasks: addressFor('tasks') }

export type TaskFilters = Omit<ViewOf<(typeof taskAddresses)['drawing']>, 'page'>
type Open = Parameters<(typeof taskAddresses)['drawing']['at']>[1]

/** A list as its address describes it. */
export interface TasksView extends TaskFilters {
  log: TaskLog
}

export const tasksAt = ({ log, ...filters }: TasksView, open?: Open): string => taskAddresses[log].at(filters, open)

export const tasksAction = ({ log, ...filters }: TasksView, action: string, open?: Open): string =>
  taskAddresses[log].action(filters, action, open)

export const tasksCsv = ({ log, ...filters }: TasksView): string => taskAddresses[log].csv(filters)

export const rangeOf = ({ log, range }: Pick<TasksView, 'log' | 'range'>): LogsRange => range ?? taskLogRanges[log]

const filterNames = ['range', 'state', 'action', 'task', 'username', 'channel'] as const

/** Number of filters that are set. */
export const filterCount = (view: TasksView): number => filterNames.filter(name => view[name] !== undefined).length
