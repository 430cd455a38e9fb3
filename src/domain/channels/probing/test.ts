/** Tries a channel out with each of its keys, counted as nobody's usage; what it finds may open the channel again. */
import { eq } from 'drizzle-orm'
import type { SessionUser } from '../../../contracts/account.ts'
import type { Language } from '../../../contracts/languages.ts'
import { LogType } from '../../../contracts/log.ts'
import { notFound } from '../../../contracts/refusal.ts'
import { atomic } from '../../../db/atomic.ts'
import { db } from '../../../db/database.ts'
import { translator } from '../../../locales/index.ts'
import { now } from '../../../process/clock.ts'
import { record } from '../../logs/index.ts'
import { option } from '../../options/index.ts'
import { masked } from '../config/validate.ts'
import { reopen } from '../health/auto-disable.ts'
import { redacted } from '../health/redact.ts'
import { channelById, type RoutedChannel } from '../routing/routing-table.ts'
import { channels } from '../table.ts'
import { probe, type Try } from './probe.ts'

const FALLBACK_MODEL = 'gpt-4o-mini'
const MS_PER_SECOND = 1000

/** Who tests, and is told of it. */
export type Tester = Pick<SessionUser, 'id' | 'username'>

export interface Tested {
  ok: boolean
  /** What went wrong, in the tester's language. */
  message: string
  seconds: number
  tries: Try[]
}

/** @throws Refusal 404. Whatever else goes wrong is the answer. */
export async function testChannel(
  id: number,
  asked: string | undefined,
  tester: Tester,
  language: Language,
): Promise<Tested> {
  const channel = await channelById(id)
  if (!channel) throw notFound()
  const model = asked || channel.test_model || channel.models[0] || FALLBACK_MODEL
  const tries = await Promise.all(channel.keys.map(key => probe(channel, key, model)))
  const failure = tries.find(one => one.trouble)
  const message = failure ? wordsFor(failure, channel, language) : ''
  const ms = Math.max(1, ...tries.map(one => Math.round(one.ms)))
  await noteTest(id, failure ? undefined : ms)
  await writeLog({ channel, model, tester, language, message, ms })
  await reopen(channel, worthOpening(tries))
  return { ok: !failure, message, seconds: ms / MS_PER_SECOND, tries }
}

/** What would be closed again for being slow is not opened. */
function worthOpening(tries: Try[]): string[] {
  const good = tries.filter(one => !one.trouble)
  return good.some(one => isTooSlow(one.ms / MS_PER_SECOND)) ? [] : good.map(one => one.key)
}

/** Longer than the operator allows a test to take, if that has an end. */
export function isTooSlow(seconds: number): boolean {
  const limit = option('ChannelDisableThreshold')
  return limit > 0 && seconds > limit
}

/** Only a success says how fast a channel is. */
async function noteTest(id: number, response_time: number | undefined) {
  const measured = response_time === undefined ? {} : { response_time }
  await db
    .update(channels)
    .set({ ...measured, test_time: now() })
    .where(eq(channels.id, id))
}

/** What went wrong with one key. */
export function wordsFor({ key, trouble }: Try, channel: RoutedChannel, language: Language): string {
  const t = translator(language)
  const { code, status = 0 } = trouble!
  const said = redacted(trouble!.said ?? '', channel)
  const refused = said ? 'channel.test_refused_saying' : 'channel.test_refused'
  const words = t(code === 'refused' ? refused : `channel.test_${code}`, { status, said })
  return channel.keys.length > 1 ? t('channel.test_of_key', { key: masked(key), words }) : words
}

interface Written {
  channel: RoutedChannel
  model: string
  tester: Tester
  language: Language
  message: string
  ms: number
}

/** Under the system's entries: nobody is charged, and no statistic counts it. */
const writeLog = ({ channel, model, tester, language, message, ms }: Written) => {
  const facts = { name: channel.name, seconds: (ms / MS_PER_SECOND).toFixed(2), message }
  return atomic(function* (tx) {
    yield* record(tx, {
      user_id: tester.id,
      username: tester.username,
      type: LogType.system,
      channel: channel.id,
      model_name: model,
      use_time: Math.round(ms / MS_PER_SECOND),
      content: translator(language)(message ? 'channel.test_failed' : 'channel.test_passed', facts),
    })
  })
}
