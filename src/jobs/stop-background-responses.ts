/** Stops responses that were cancelled or deleted at another node. */
import { stopEndedElsewhere } from '../domain/background-responses/index.ts'
import type { Job } from './job.ts'

export const stopBackgroundResponsesJob: Job = {
  name: 'stop-background-responses',
  scope: 'node',
  every_seconds: () => 1,
  run: stopEndedElsewhere,
}
