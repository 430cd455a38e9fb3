/** What is left on channels' accounts: asked for one by one, or for all in the background. */
import { eq } from 'drizzle-orm'
import { startJob } from '../../../cluster/leases.ts'
import type { SessionUser } from '../../../contracts/account.ts'
import { ChannelStatus } from '../../../contracts/channel.ts'
import { notFound, Refusal } from '../../../contracts/refusal.ts'
import { db } from '../../../db/database.ts'
import { now } from '../../../process/clock.ts'
import { log, reason } from '../../../process/log.ts'
import { isStopping } from '../../../process/shutdown.ts'
import { providerOf } from '../../../providers/index.ts'
import { disableChannel } from '../health/auto-disable.ts'
import { allChannels, channelById, type RoutedChannel } from '../routing/routing-table.ts'
import { channels } from '../table.ts'
import { balanceAt, direct, getFor } from './query-upstream.ts'

export const REFRESH_BALANCES = 'refresh-balances'

/** @throws Refusal 404, or what went wrong. */
export async function updateBalance(id: number, caller: SessionUser): Promise<number> {
  const channel = await channelById(id)
  if (!channel) throw notFound()
  return keep(channel, await balanceAt(channel, getFor(caller, channel.setting.proxy)))
}

/** Begins in the background. @throws Refusal while a run is under way, on whichever node. */
export async function updateBalances() {
  if (!(await startJob(REFRESH_BALANCES, refreshBalances))) throw new Refusal('channel.balances_running')
}

/** Of every channel in use whose provider tells; one whose account is empty is closed, where the rules allow it. */
export async function refreshBalances() {
  const asked = (await allChannels()).filter(
    ({ status, type }) => status === ChannelStatus.enabled && providerOf(type)?.balance,
  )
  for (const channel of asked) {
    if (isStopping()) return
    try {
      const balance = await keep(channel, await balanceAt(channel, direct(channel.setting.proxy)))
      if (balance <= 0) await disableChannel(channel, 'insufficient balance')
    } catch (error) {
      log.info('balance not told', { channel: channel.id, reason: reason(error) })
    }
  }
}

async function keep({ id }: RoutedChannel, balance: number): Promise<number> {
  await db.update(channels).set({ balance, balance_updated_time: now() }).where(eq(channels.id, id))
  return balance
}
