/** Deletes what is known of objects that their upstreams no longer keep. */
import { pruneStoredItems, pruneStoredObjects } from '../domain/stored-objects/index.ts'
import type { Job } from './job.ts'

export const pruneStoredObjectsJob: Job = {
  name: 'prune-stored-objects',
  scope: 'cluster',
  every_seconds: () => 3600,
  run: pruneStoredObjects,
}

/** It reads the whole table. */
export const pruneStoredItemsJob: Job = {
  name: 'prune-stored-items',
  scope: 'cluster',
  every_seconds: () => 86_400,
  run: pruneStoredItems,
}
