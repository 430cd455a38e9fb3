/** The running system: what it is, and whether a newer release exists. */

export { systemInfo } from './info.ts'
export { latestRelease } from './release.ts'
