import { REFRESH_BALANCES, refreshBalances } from '../console/channels/service.ts'
import { option } from '../console/options/service.ts'
import type { Job } from './clock.ts'

export const refreshBalancesJob: Job = {
  name: REFRESH_BALANCES,
  every_minutes: () => option('ChannelBalanceIntervalMinutes'),
  work: refreshBalances,
}
