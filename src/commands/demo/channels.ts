/** Creates the channels of the demo, and checks them when its month has passed. */
import { SYSTEM } from '../../contracts/actor.ts'
import { ChannelStatus, NewChannel } from '../../contracts/channel.ts'
import { changeChannel, createChannel, refreshBalances, testAllAsRoot } from '../../domain/channels/index.ts'
import { type DemoChannel, demoChannels } from './channel-list.ts'
import { startDemoUpstream } from './upstream.ts'

/** @returns those that were in use, with their share of the calls */
export async function addChannels() {
  const base_url = startDemoUpstream()
  const served = []
  for (const { share, ...channel } of demoChannels) {
    const created = await createChannel(NewChannel.parse({ ...fieldsOf(channel), base_url }), SYSTEM)
    if (channel.isDisabled) await changeChannel({ id: created.id, status: ChannelStatus.disabled }, SYSTEM)
    if (share !== undefined) served.push({ ...created, share })
  }
  return served
}

const fieldsOf = ({ fault, isDisabled, balance, latency_ms, keys = 1, key, ...fields }: DemoChannel) => ({
  ...fields,
  key: Array.from({ length: keys }, (_, index) => `${key}-${index + 1}`).join(),
})

/** Finds the refused key and the rate limit, and the balances. */
export async function checkChannels() {
  await testAllAsRoot()
  await refreshBalances()
}
