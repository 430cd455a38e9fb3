/** Reads the balance of every channel whose provider reports one. */
import { REFRESH_BALANCES, refreshBalances } from '../domain/channels/index.ts'
import { option } from '../domain/options/index.ts'
import type { Job } from './job.ts'

export const refreshBalancesJob: Job = {
  name: REFRESH_BALANCES,
  scope: 'cluster',
  every_seconds: () => option('ChannelBalanceIntervalMinutes') * 60,
  run: refreshBalances,
}
