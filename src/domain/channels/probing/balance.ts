/** Account balances of channels, queried one by one or for all in the background. */
import { eq } from 'drizzle-orm'
import type { Lease } from '../../../cluster/lease.ts'
import { startJob } from '../../../cluster/leases.ts'
import type { SessionUser } from '../../../contracts/account.ts'
import { ChannelStatus } from '../../../contracts/channel.ts'
import { notFound, Refusal } from '../../../contracts/refusal.ts'
import { db } from '../../../db/database.ts'
import { now } from '../../../process/clock.ts'
import { log, reason } from '../../../process/log.ts'
import { providerOf } from '../../../providers/index.ts'
import { allChannels, channelById, disableChannel, type RoutedChannel } from '../../routing/index.ts'
import { channels } from '../table.ts'
import { balanceAt, direct, getFor } from './query-upstream.ts'
import { failureIn, type RunResult, startRun } from './run.ts'

export const REFRESH_BALANCES = 'refresh-balances'

/** @returns the balance in the provider's currency
 * @throws Refusal 404, or the failure of the query */
export async function updateBalance(id: number, caller: SessionUser): Promise<number> {
  const channel = await channelById(id)
  if (!channel) throw notFound('channel.gone')
  return storeBalance(channel, await balanceAt(channel, getFor(caller, channel)))
}

/** Starts a run in the background. @throws Refusal while one runs on any node */
export async function updateBalances() {
  if (!(await startJob(REFRESH_BALANCES, refreshBalances))) throw new Refusal('channel.balances_running')
}

/** Queries every enabled channel whose provider reports a balance; one with an empty account is disabled. */
export async function refreshBalances(_?: AbortSignal, lease?: Lease) {
  const queried = (await allChannels()).filter(
    ({ status, type }) => status === ChannelStatus.enabled && providerOf(type)?.balance,
  )
  const run = startRun('balance', queried.length)
  for (const channel of queried) {
    const result = lease?.signal.aborted ? undefined : await balanceResult(channel, lease)
    if (!result) break
    run.add({ id: channel.id, name: channel.name, ...result })
  }
  await run.end()
}

/** @returns undefined where the lease is lost */
async function balanceResult(
  channel: RoutedChannel,
  lease?: Lease,
): Promise<Pick<RunResult, 'value' | 'failure'> | undefined> {
  try {
    const balance = await balanceAt(channel, direct(channel))
    if (lease && !(await lease.holds())) return undefined
    await storeBalance(channel, balance)
    if (balance <= 0) await disableChannel(channel, 'insufficient balance', 'balance')
    return { value: balance }
  } catch (error) {
    log.info('balance not refreshed', { channel: channel.id, reason: reason(error) })
    return { failure: failureIn(error) }
  }
}

async function storeBalance({ id }: RoutedChannel, balance: number): Promise<number> {
  await db.update(channels).set({ balance, balance_updated_time: now() }).where(eq(channels.id, id))
  return balance
}
