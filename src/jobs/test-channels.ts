import { TEST_CHANNELS, testInTurn } from '../console/channels/service.ts'
import { option } from '../console/options/service.ts'
import type { Job } from './job.ts'

export const testChannelsJob: Job = {
  name: TEST_CHANNELS,
  every_minutes: () => option('ChannelTestIntervalMinutes'),
  work: testInTurn,
}
