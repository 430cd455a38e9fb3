/** Backups to a folder or bucket while the database is used: shipping, restoring a second, the weekly test. */
export { restoreHistory } from './history.ts'
export { startRecording } from './service.ts'
export { backupState } from './state.ts'
export { storeAt } from './store.ts'
export { KEEP_BACKUP, keepBackup } from './test-backup.ts'
export { openVault, UnusableBackup } from './vault.ts'
