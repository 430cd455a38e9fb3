/** The audit log: administrative changes. */
export { changeById, listChanges, listChangesOf, recordChange, walkChanges } from './service.ts'
export { auditLog } from './table.ts'
export { changedFields, changesOfRequest, stillHolds, valuesBefore } from './undo.ts'
