/** Tests every channel that is enabled or auto-disabled: fatal and slow ones are disabled, good ones enabled again. */
import type { Lease } from '../../../cluster/lease.ts'
import { startJob } from '../../../cluster/leases.ts'
import { ChannelStatus } from '../../../contracts/channel.ts'
import { notFound, Refusal } from '../../../contracts/refusal.ts'
import { languageOf } from '../../../locales/index.ts'
import type { Language } from '../../../locales/languages.ts'
import { announcement } from '../../../process/announcement.ts'
import { log, reason } from '../../../process/log.ts'
import { seconds as rounded } from '../../../pure/time.ts'
import { option } from '../../options/index.ts'
import {
  allChannels,
  channelById,
  disableChannel,
  disableKey,
  type RoutedChannel,
  redacted,
} from '../../routing/index.ts'
import { rootUser } from '../../users/index.ts'
import { type ChannelSet, namesOf } from '../config/batch.ts'
import type { ProbeFailure } from './probe-failure.ts'
import { failureIn, type RunResult, startRun } from './run.ts'
import { type ChannelTest, isTooSlow, type Tester, testChannel } from './test.ts'

export const TEST_CHANNELS = 'test-channels'
const CONCURRENCY = 4

interface TestRunSummary {
  tested: number
  /** Channels that did not pass, or could not be tested. */
  failed: number
}

/** A run over all channels that an administrator has started is over. */
export const testRunEnded = announcement<TestRunSummary>('channel-test-run')

/**
 * Starts a run in the background.
 * @param set may hold disabled channels; absent: every enabled and auto-disabled one
 * @throws Refusal while one runs on any node, 404 when the set is empty
 */
export async function testChannels(tester: Tester, language: Language, set?: ChannelSet) {
  const tested = await testedChannels(set)
  if (set && !tested.length) throw notFound('channel.gone')
  const isStarted = await startJob(TEST_CHANNELS, async (_, lease) => {
    const summary = await testAll(tested, tester, language, lease)
    if (await lease.holds()) testRunEnded.announce(summary)
  })
  if (!isStarted) throw new Refusal('channel.test_running')
}

/** The scheduled run, logged under the root user. */
export async function testAllAsRoot(_?: AbortSignal, lease?: Lease) {
  const root = await rootUser()
  if (root) await testAll(await testedChannels(), root, languageOf(undefined, undefined), lease)
}

async function testedChannels(set?: ChannelSet): Promise<RoutedChannel[]> {
  const all = await allChannels()
  if (!set) return all.filter(({ status }) => status !== ChannelStatus.disabled)
  const wanted = new Set((await namesOf(set)).map(({ id }) => id))
  return all.filter(({ id }) => wanted.has(id))
}

async function testAll(tested: RoutedChannel[], tester: Tester, language: Language, lease?: Lease) {
  const waiting = [...tested]
  const run = startRun('test', tested.length)
  let passed = 0
  const worker = async () => {
    for (let next = waiting.shift(); next && !lease?.signal.aborted; next = waiting.shift()) {
      const { id, name } = next
      const result = await testOne(id, tester, language, lease)
      if (!result) return
      if (!result.failure) passed++
      run.add({ id, name, ...result })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  await run.end()
  return { tested: tested.length, failed: tested.length - passed }
}

/** A channel that cannot be tested does not stop the others. @returns undefined where another node has the lease */
async function testOne(
  id: number,
  tester: Tester,
  language: Language,
  lease?: Lease,
): Promise<Pick<RunResult, 'value' | 'failure'> | undefined> {
  try {
    const channel = await channelById(id)
    if (!channel) return { failure: { key: 'channel.gone' } }
    const test = await testChannel(id, undefined, tester, language)
    if (lease && !(await lease.holds())) return undefined
    await applyTest(channel, test)
    return test.failure ? { failure: test.failure } : { value: test.seconds }
  } catch (error) {
    log.warn('channel not tested', { channel: id, reason: reason(error) })
    return { failure: failureIn(error) }
  }
}

async function applyTest(channel: RoutedChannel, { probes, ok, seconds }: ChannelTest) {
  for (const probe of probes) {
    if (probe.failure?.fatal) await disableKey(channel, probe.key, reasonOf(probe.failure, channel), 'test')
  }
  if (ok && isTooSlow(seconds)) {
    const reason = `${rounded(seconds)} s > ${option('ChannelDisableThreshold')} s`
    await disableChannel(channel, reason, 'slow')
  }
}

/** Status and words of the upstream, as failed calls store them: the same in every reader's language. */
const reasonOf = ({ status = 0, message = '' }: ProbeFailure, channel: RoutedChannel) =>
  `${status} ${redacted(message, channel)}`.trim()
