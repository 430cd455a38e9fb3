import { REFRESH_BALANCES, refreshBalances } from '../domain/channels/index.ts'
import { option } from '../domain/options/index.ts'
import type { Job } from './job.ts'

export const refreshBalancesJob: Job = {
  name: REFRESH_BALANCES,
  every_minutes: () => option('ChannelBalanceIntervalMinutes'),
  work: refreshBalances,
}
