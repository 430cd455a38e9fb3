/** The running system: what it is, whether its database answers, whether a newer release exists. */
export { databaseState } from './database-state.ts'
export { systemInfo } from './info.ts'
export { latestRelease } from './release.ts'
