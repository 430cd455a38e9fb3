/** One message to administrators for each wave of channels that have closed themselves, with the reasons. */
import { and, eq } from 'drizzle-orm'
import type { Lease } from '../../cluster/lease.ts'
import { CHANNELS_PATH } from '../../contracts/channel.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import { translate } from '../../locales/index.ts'
import type { Language } from '../../locales/languages.ts'
import { now } from '../../process/clock.ts'
import { messageAdministrators } from '../messages/index.ts'
import { allChannels, autoDisableOf } from '../routing/index.ts'
import { rootUser } from '../users/index.ts'
import { plain } from './plain.ts'
import { noticeTimes } from './table.ts'

const KIND = 'closed_channels'
/** A wave is over when no channel has closed for so long. */
const QUIET_SECONDS = 60
/** At most one message in this time, however long the wave lasts. */
const PAUSE_SECONDS = 600
const NAMED_MAX = 20
/** Characters of an upstream's reason. */
const REASON_MAX = 200

interface ClosedChannel {
  id: number
  name: string
  reason: string
  at: number
}

/** Channels that are open again when the wave is over are left out. */
export async function reportClosedChannels(_: AbortSignal, lease: Lease) {
  const root = await rootUser()
  if (!root) return
  const isMine = and(eq(noticeTimes.user_id, root.id), eq(noticeTimes.kind, KIND))
  const [last] = await db.select().from(noticeTimes).where(isMine)
  const reported = last?.sent_time ?? 0
  const closed = (await allChannels()).flatMap(channel => {
    const { reason, at } = autoDisableOf(channel) ?? {}
    return at !== undefined && at > reported ? [{ id: channel.id, name: channel.name, reason: reason!, at }] : []
  })
  if (!closed.length) return
  const [oldest, latest] = [Math.min(...closed.map(({ at }) => at)), Math.max(...closed.map(({ at }) => at))]
  if (now() - latest < QUIET_SECONDS && now() - oldest < PAUSE_SECONDS) return
  if (Math.abs(now() - reported) < PAUSE_SECONDS) return
  await atomic(function* (tx) {
    yield* lease.keep(tx)
    yield* messageAdministrators(tx, language => textOf(closed, language))
    yield* run(
      tx
        .insert(noticeTimes)
        .values({ user_id: root.id, kind: KIND, sent_time: latest })
        .onConflictDoUpdate({ target: [noticeTimes.user_id, noticeTimes.kind], set: { sent_time: latest } }),
    )
  })
}

function textOf(closed: ClosedChannel[], language: Language) {
  const count = closed.length
  const named = closed.slice(0, NAMED_MAX).map(({ id, name, reason }) => {
    const words = plain(reason.slice(0, REASON_MAX))
    return `- [${plain(name)}](${CHANNELS_PATH}?edit=${id}): ${words}`
  })
  const more = count - named.length
  const lines = more > 0 ? [...named, `- ${translate(language, 'message.closed_more', { count: more })}`] : named
  return {
    title: translate(language, 'message.closed_title', { count }),
    content: [translate(language, 'message.closed_intro'), '', ...lines].join('\n'),
  }
}
