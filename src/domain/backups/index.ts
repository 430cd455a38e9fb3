/** Backups to a folder or bucket while the database is used: shipping, restoring a second, the weekly test. */
export { restoreHistory } from './history.ts'
export { startRecording } from './service.ts'
export { backupState, TEST_BACKUP } from './state.ts'
export { storeAt } from './store.ts'
export { keepDump, lookAtBackup, testBackup, testEvery_seconds } from './test-backup.ts'
export { openVault, UnusableBackup } from './vault.ts'
