/** Deletes responses that have been kept for a day. */
import { pruneBackground } from '../domain/background-responses/index.ts'
import type { Job } from './job.ts'

export const pruneBackgroundResponsesJob: Job = {
  name: 'prune-background-responses',
  scope: 'cluster',
  every_seconds: () => 600,
  run: pruneBackground,
}
