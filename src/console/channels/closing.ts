/** Channels and keys that are beyond hope are closed by themselves, and opened again by a test that they pass. */
import { and, eq, inArray } from 'drizzle-orm'
import { ChannelStatus } from '../../contracts/channel.ts'
import { LogType } from '../../contracts/log.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { now } from '../../kit/clock.ts'
import { log } from '../../kit/log.ts'
import { digest } from '../../kit/secrets.ts'
import { languageOf, type Sentence, translate } from '../../locales/index.ts'
import { record } from '../logs/service.ts'
import { option } from '../options/service.ts'
import { rootUser } from '../users/service.ts'
import { wake } from './breaker.ts'
import { masked } from './fit.ts'
import { forgetChannels, type ReadyChannel } from './ready.ts'
import { abilities, channels, closedKeys } from './table.ts'

/** Takes one key out of use, where the rules allow it, and the channel once no other is left. */
export async function closeKey(channel: ReadyChannel, key: string, reason: string) {
  if (!option('AutomaticDisableChannelEnabled') || !channel.auto_ban) return
  if (channel.keys.length < 2) return closeChannel(channel, reason)
  const row = { channel_id: channel.id, key_hash: digest(key), status: ChannelStatus.autoDisabled }
  const [closed] = await db
    .insert(closedKeys)
    .values({ ...row, reason, closed_time: now() })
    .onConflictDoNothing()
    .returning()
  // Read once the row is there for all to see: of keys that fail at the same moment, the last one finds none left.
  const all = await db.select().from(closedKeys).where(eq(closedKeys.channel_id, channel.id))
  const spare = channel.keys.filter(one => all.every(row => row.key_hash !== digest(one))).length
  forgetChannels()
  if (!spare) return closeChannel(channel, reason)
  if (closed) await tell('channel.key_closed', channel, { key: masked(key), reason, spare })
}

/** Takes an open channel out of routing until someone, or a test, opens it again. */
export async function closeChannel(channel: ReadyChannel, reason: string) {
  if (!option('AutomaticDisableChannelEnabled')) return
  const open = and(eq(channels.status, ChannelStatus.enabled), eq(channels.auto_ban, 1))
  const closed = await atomic(function* (tx) {
    return yield* setStatus(tx, channel.id, { status: ChannelStatus.autoDisabled, reason, where: open })
  })
  if (closed) await tell('channel.closed', channel, { reason })
}

/** Opens what a test has found to be good, where the rules allow it: these keys, and the channel if it closed itself. */
export async function reopen(channel: ReadyChannel, keys: string[]) {
  wake(channel.id)
  if (!option('AutomaticEnableChannelEnabled') || !keys.length) return
  const byItself = eq(channels.status, ChannelStatus.autoDisabled)
  const opened = await atomic(function* (tx) {
    yield* run(
      tx
        .delete(closedKeys)
        .where(
          and(
            eq(closedKeys.channel_id, channel.id),
            eq(closedKeys.status, ChannelStatus.autoDisabled),
            inArray(closedKeys.key_hash, keys.map(digest)),
          ),
        ),
    )
    return yield* setStatus(tx, channel.id, { status: ChannelStatus.enabled, reason: 'test', where: byItself })
  })
  forgetChannels()
  if (opened) await tell('channel.reopened', channel, {})
}

interface Change {
  status: number
  reason: string
  where: ReturnType<typeof and>
}

/** Whether the channel's state has changed: of several who find out the same, one does it. */
function* setStatus(tx: Tx, id: number, { status, reason, where }: Change) {
  const other_info = JSON.stringify({ status_reason: reason, status_time: now() })
  const [changed] = yield* run(
    tx
      .update(channels)
      .set({ status, other_info })
      .where(and(eq(channels.id, id), where))
      .returning({ id: channels.id }),
  )
  if (!changed) return false
  const enabled = status === ChannelStatus.enabled
  yield* run(tx.update(abilities).set({ enabled }).where(eq(abilities.channel_id, id)))
  return true
}

/** Once, in the log of the site's owner. */
async function tell(sentence: Sentence, { id, name }: ReadyChannel, facts: Record<string, string | number>) {
  forgetChannels()
  log.warn(sentence, { channel: id, name, ...facts })
  const root = await rootUser()
  if (!root) return
  const content = translate(languageOf(undefined, undefined), sentence, { name, id, ...facts })
  const entry = { user_id: root.id, username: root.username, type: LogType.system, channel: id, content }
  await atomic(tx => record(tx, entry))
}
