/** Deletes what is known of objects that their upstreams no longer keep. */
import { pruneStoredObjects } from '../domain/stored-objects/index.ts'
import type { Job } from './job.ts'

export const pruneStoredObjectsJob: Job = {
  name: 'prune-stored-objects',
  scope: 'cluster',
  every_seconds: () => 3600,
  run: pruneStoredObjects,
}
