/** Address of the playground. */
import { addressOf } from '../../src/contracts/list-address.ts'
import { PLAYGROUND_PATH } from '../../src/contracts/playground.ts'

/** @param of group and model to begin with, and the id of the log entry whose messages are taken over */
export const playgroundAt = (of: { group?: string; model?: string; call?: number }): string =>
  addressOf(PLAYGROUND_PATH, { page: 1, ...of })
