/** What upstreams store for users: owned by its maker, held by one channel and key. */
export {
  forgetStored,
  isHeldUnder,
  keyHashOf,
  type NewStoredObject,
  NO_MAKER,
  pruneStoredItems,
  pruneStoredObjects,
  recordListed,
  recordStored,
  storedObject,
  storedObjects,
  storedRowsOf,
} from './service.ts'
export type { StoredRow } from './table.ts'
