/** Writes buffered updates (last use of tokens, channel outcomes). */
import { flushBuffers } from '../cluster/write-behind.ts'
import type { Job } from './job.ts'

export const flushBuffersJob: Job = {
  name: 'flush-buffers',
  scope: 'node',
  every_seconds: () => 1,
  run: flushBuffers,
}
