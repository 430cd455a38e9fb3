import { REFRESH_BALANCES, refreshBalances } from '../console/channels/service.ts'
import { option } from '../console/options/service.ts'
import type { Job } from './job.ts'

export const refreshBalancesJob: Job = {
  name: REFRESH_BALANCES,
  every_minutes: () => option('ChannelBalanceIntervalMinutes'),
  work: refreshBalances,
}
