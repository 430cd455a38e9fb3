/** Tests every channel that is in use, or has closed itself; closes what fails beyond hope and opens what is well. */

import { begin } from '../../../cluster/leases.ts'
import { ChannelStatus } from '../../../contracts/channel.ts'
import type { Language } from '../../../contracts/languages.ts'
import { Refusal } from '../../../contracts/refusal.ts'
import { languageOf } from '../../../locales/index.ts'
import { log, reason } from '../../../process/log.ts'
import { isStopping } from '../../../process/shutdown.ts'
import { seconds as rounded } from '../../../pure/time.ts'
import { option } from '../../options/index.ts'
import { rootUser } from '../../users/index.ts'
import { closeChannel, closeKey } from '../health/auto-disable.ts'
import { allChannels, channelById, type RoutedChannel } from '../routing/routing-table.ts'
import { isTooSlow, type Tested, type Tester, testChannel, wordsFor } from './test.ts'

export const TEST_CHANNELS = 'test-channels'
const AT_ONCE = 4

/** Begins in the background. @throws Refusal while a run is under way, on whichever node. */
export async function testAllChannels(tester: Tester, language: Language) {
  if (!(await begin(TEST_CHANNELS, () => testAll(tester, language)))) throw new Refusal('channel.test_running')
}

/** As the clock does it: in the name of the site's owner. */
export async function testInTurn() {
  const root = await rootUser()
  if (root) await testAll(root, languageOf(undefined, undefined))
}

async function testAll(tester: Tester, language: Language) {
  const waiting = (await allChannels()).filter(({ status }) => status !== ChannelStatus.disabled).map(({ id }) => id)
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined && !isStopping(); id = waiting.shift()) {
      await testOne(id, tester, language)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** One that cannot even be tried must not keep the others from it. */
async function testOne(id: number, tester: Tester, language: Language) {
  try {
    const channel = await channelById(id)
    if (channel) await judge(channel, await testChannel(id, undefined, tester, language), language)
  } catch (error) {
    log.warn('channel not tested', { channel: id, reason: reason(error) })
  }
}

async function judge(channel: RoutedChannel, { tries, ok, seconds }: Tested, language: Language) {
  for (const one of tries) {
    if (one.trouble?.fatal) await closeKey(channel, one.key, wordsFor(one, channel, language))
  }
  if (ok && isTooSlow(seconds)) {
    await closeChannel(channel, `${rounded(seconds)} s > ${option('ChannelDisableThreshold')} s`)
  }
}
