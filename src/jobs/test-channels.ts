import { TEST_CHANNELS, testAllAsRoot } from '../domain/channels/index.ts'
import { option } from '../domain/options/index.ts'
import type { Job } from './job.ts'

export const testChannelsJob: Job = {
  name: TEST_CHANNELS,
  every_minutes: () => option('ChannelTestIntervalMinutes'),
  work: testAllAsRoot,
}
