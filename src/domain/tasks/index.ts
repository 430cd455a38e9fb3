/** Asynchronous tasks: written before their call, charged at acceptance, refunded once when they fail. */
import './gauges.ts'

export { type Acceptance, acceptTask } from './accept.ts'
export { askNow, failTask } from './administer.ts'
export { beginTask, endSubmitting, type NewTask } from './begin.ts'
export { callbackPathOf, callbackTarget, takeCallback } from './callback.ts'
export { fileAddressOf, filesOf, isFileAddress, pictureAddressOf } from './file-address.ts'
export { fail, failUnaccepted } from './finish.ts'
export { sendTaskHooks } from './hooks.ts'
export { expireResults, keepsResults, saveResults } from './keep-results.ts'
export {
  countTasks,
  findTask,
  type ListedTask,
  listTasks,
  neighboursOf,
  type TaskScope,
  tasksById,
  UNFINISHED_STATUSES,
  userIdOf,
  walkTasks,
} from './list.ts'
export {
  deleteTask,
  type TaskOwner,
  taskOf,
  taskOfAnyone,
  taskPage,
  tasksByUpstreamId,
  tasksOf,
} from './look-up.ts'
export { OUTCOME_UNKNOWN } from './lost.ts'
export { openFile } from './open-file.ts'
export { lookAfterTasks } from './poll.ts'
export { pruneTasks } from './prune.ts'
export { readResult } from './results-store.ts'
export type { TaskRow } from './table.ts'
export { makerOf } from './video-maker.ts'
