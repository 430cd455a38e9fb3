/** Tests every channel that is enabled or auto-disabled. */
import { TEST_CHANNELS, testAllAsRoot } from '../domain/channels/index.ts'
import { option } from '../domain/options/index.ts'
import type { Job } from './job.ts'

export const testChannelsJob: Job = {
  name: TEST_CHANNELS,
  scope: 'cluster',
  every_seconds: () => option('ChannelTestIntervalMinutes') * 60,
  run: testAllAsRoot,
}
