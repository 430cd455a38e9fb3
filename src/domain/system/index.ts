/** The running system: what it is, and whether a newer release exists. */
export { latestRelease } from './release.ts'
export { systemInfo } from './info.ts'
