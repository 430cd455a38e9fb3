/** The usage log. */
export {
  entriesOfRecord,
  findRecord,
  hasRecord,
  keepsRecords,
  recordCalls,
  recordRefusedCall,
  type StoredCallRecord,
} from './call-records.ts'
export { CLEAR_LOGS, clearingEnded, clearLogs, lastClearing, startClearing } from './clear.ts'
export { failuresUnder, hourlyFailuresUnder } from './failures.ts'
export { findByKeyword } from './keyword.ts'
export { isModelPattern, matchesAnyModel, matchesModel } from './model-filter.ts'
export { countNewer, newestId } from './newer.ts'
export { durationsOf, latestOfChannel } from './of-channel.ts'
export { encodeRecord } from './record-codec.ts'
export { deleteFilter, savedFilters, saveFilter } from './saved-filters.ts'
export {
  conditionOf,
  countBefore,
  findCall,
  findOne,
  findPage,
  findRequest,
  type LogScope,
  scopeToAll,
  scopeToUser,
  walk,
} from './search.ts'
export { logRowOf, type NewLog, recordAll, writeLog } from './service.ts'
export { latestNames } from './suggestions.ts'
export { type LogRow, logs } from './table.ts'
