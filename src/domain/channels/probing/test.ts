/** Tests a channel with each of its keys, without a bill; a passed test may enable the channel again. */
import { eq } from 'drizzle-orm'
import type { SessionUser } from '../../../contracts/account.ts'
import { LogType } from '../../../contracts/log.ts'
import { notFound } from '../../../contracts/refusal.ts'
import { db } from '../../../db/database.ts'
import { type StoredMessage, textOf } from '../../../locales/index.ts'
import type { Language } from '../../../locales/languages.ts'
import { now } from '../../../process/clock.ts'
import { providerOf } from '../../../providers/index.ts'
import { writeLog } from '../../logs/index.ts'
import { option } from '../../options/index.ts'
import { channelById, enableAgain, maskKey, type RoutedChannel, redacted } from '../../routing/index.ts'
import { channels } from '../table.ts'
import { type ProbeResult, probe } from './probe.ts'
import type { ProbeFailure } from './probe-failure.ts'

const FALLBACK_MODEL = 'gpt-4o-mini'
const MS_PER_SECOND = 1000

/** The user who tests, in whose usage log the result is written. */
export type Tester = Pick<SessionUser, 'id' | 'username'>

export interface ChannelTest {
  ok: boolean
  /** The first failure, in the tester's language. */
  message: string
  failure: StoredMessage | undefined
  seconds: number
  /** One per key. */
  probes: ProbeResult[]
}

/** @throws Refusal 404; every other failure is part of the result */
export async function testChannel(
  id: number,
  requested_model: string | undefined,
  tester: Tester,
  language: Language,
): Promise<ChannelTest> {
  const channel = await channelById(id)
  if (!channel) throw notFound('channel.gone')
  const model = requested_model || firstModel(channel)
  const probes = await Promise.all(channel.keys.map(key => probe(channel, key, model)))
  const failed = probes.find(one => one.failure)
  const failure = failed && failureOf(failed, channel)
  const ms = Math.max(1, ...probes.map(one => Math.round(one.ms)))
  await storeTest(id, failed?.failure, ms)
  await logTest({ channel, model, tester, failure, ms })
  await enableAgain(channel, keysToEnable(probes))
  const message = failure ? textOf(language, failure) : ''
  return { ok: !failed, message, failure, seconds: ms / MS_PER_SECOND, probes }
}

/** The model of a test that names none: the channel's own choice, else the provider's if the channel has it. */
export function firstModel({
  type,
  test_model,
  models,
}: Pick<RoutedChannel, 'type' | 'test_model' | 'models'>): string {
  const { model = '' } = providerOf(type)?.quirks.probe ?? {}
  return test_model || (models.includes(model) ? model : models[0]) || FALLBACK_MODEL
}

/** None when one is so slow that the channel would be disabled again. */
function keysToEnable(probes: ProbeResult[]): string[] {
  const good = probes.filter(one => !one.failure)
  return good.some(one => isTooSlow(one.ms / MS_PER_SECOND)) ? [] : good.map(one => one.key)
}

/** Whether a test took longer than `ChannelDisableThreshold` seconds; 0 is no limit. */
export function isTooSlow(seconds: number): boolean {
  const limit = option('ChannelDisableThreshold')
  return limit > 0 && seconds > limit
}

/** Only a passed test changes the response time. A model that cannot be tested says nothing about the channel. */
async function storeTest(id: number, failure: ProbeFailure | undefined, response_time: number) {
  const { code = '', status = 0 } = failure ?? {}
  const test_failure = code === 'refused' && status >= 400 ? String(status) : code
  await db
    .update(channels)
    .set({
      ...(!failure && { response_time }),
      ...(code !== 'unsupported' && { test_failure }),
      test_time: now(),
    })
    .where(eq(channels.id, id))
}

/** The failure of one key as a message; a channel with several keys names the key. */
export function failureOf({ key, failure }: ProbeResult, channel: RoutedChannel): StoredMessage {
  const { code, status = 0 } = failure!
  const said = redacted(failure!.message ?? '', channel)
  const params = { status, said }
  const words: StoredMessage =
    said && (code === 'refused' || code === 'unreachable')
      ? { key: `channel.test_${code}_saying`, params }
      : { key: `channel.test_${code}`, params }
  return channel.keys.length > 1 ? { key: 'channel.test_of_key', params: { key: maskKey(key), words } } : words
}

interface TestLog {
  channel: RoutedChannel
  model: string
  tester: Tester
  failure: StoredMessage | undefined
  ms: number
}

/** A system entry: it is billed to no user and counted in no statistics. */
function logTest({ channel: { id, name }, model, tester, failure, ms }: TestLog) {
  const params = failure ? { name, message: failure } : { name, seconds: (ms / MS_PER_SECOND).toFixed(2) }
  return writeLog({
    user_id: tester.id,
    username: tester.username,
    type: LogType.system,
    channel: id,
    model_name: model,
    use_time: Math.round(ms / MS_PER_SECOND),
    content: failure ? 'channel.test_failed' : 'channel.test_passed',
    other: JSON.stringify({ params }),
  })
}
