/** The running system: what it is, whether its database answers, whether a newer release exists. */
export { databaseState } from './database-state.ts'
export { diagnostics, runJobNow } from './diagnostics.ts'
export { systemInfo } from './info.ts'
export { latestRelease } from './release.ts'
export { startAudit } from './self-audit.ts'
export { supportBundle } from './support-bundle.ts'
