/** Deletes the marks of calls that were settled more than a day ago. */
import { pruneSettlements } from '../domain/wallet/index.ts'
import type { Job } from './job.ts'

export const pruneSettlementsJob: Job = {
  name: 'prune-settlements',
  scope: 'node',
  every_seconds: () => 3600,
  run: pruneSettlements,
}
