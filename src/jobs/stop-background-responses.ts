/** Stops responses that were cancelled or deleted at another node. SQLite has one process. */
import { dialect } from '../db/dialect.ts'
import { stopEndedElsewhere } from '../domain/background-responses/index.ts'
import type { Job } from './job.ts'

export const stopBackgroundResponsesJob: Job = {
  name: 'stop-background-responses',
  scope: 'node',
  every_seconds: () => (dialect === 'postgres' ? 1 : 0),
  run: stopEndedElsewhere,
}
