/** Asks upstreams how far their tasks are. */
import { lookAfterTasks } from '../domain/tasks/index.ts'
import type { Job } from './job.ts'

export const lookAfterTasksJob: Job = {
  name: 'look-after-tasks',
  scope: 'cluster',
  every_seconds: () => 15,
  run: lookAfterTasks,
}
