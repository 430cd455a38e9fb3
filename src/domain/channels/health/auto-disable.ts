/** Channels and keys that are beyond hope are closed by themselves, and opened again by a test that they pass. */
import { and, eq, inArray, type SQL } from 'drizzle-orm'
import { ChannelStatus } from '../../../contracts/channel.ts'
import { LogType } from '../../../contracts/log.ts'
import { digest } from '../../../crypto/sealing.ts'
import { atomic, run } from '../../../db/atomic.ts'
import type { Tx } from '../../../db/database.ts'
import { languageOf, type MessageKey, translate } from '../../../locales/index.ts'
import { now } from '../../../process/clock.ts'
import { log } from '../../../process/log.ts'
import { recordLog } from '../../logs/index.ts'
import { option } from '../../options/index.ts'
import { rootUser } from '../../users/index.ts'
import { lockChannel, spareKeys } from '../config/keys.ts'
import { maskKey } from '../config/validate.ts'
import { forgetChannels, type RoutedChannel } from '../routing/routing-table.ts'
import { abilities, channels, closedKeys } from '../table.ts'
import { resetCircuits } from './breaker.ts'

/** Takes one key out of use, where the rules allow it, and the channel once no other is left. */
export async function disableKey(channel: RoutedChannel, key: string, reason: string) {
  if (!option('AutomaticDisableChannelEnabled')) return
  const { key_closed, channel_closed, spare } = await atomic(tx => takeKey(tx, channel.id, key, reason))
  if (channel_closed) await tell('channel.closed', channel, { reason })
  else if (key_closed) await tell('channel.key_closed', channel, { key: maskKey(key), reason, spare })
}

const nothing = { key_closed: false, channel_closed: false, spare: 0 }

/** Under a lock: of keys that fail at the same moment, the last one finds none left. */
function* takeKey(tx: Tx, id: number, key: string, reason: string) {
  const channel = yield* lockChannel(tx, id)
  // The call may have been long under way: what it failed with may have been replaced since.
  if (!channel?.auto_ban || !channel.keys.includes(key)) return nothing
  const key_closed = channel.keys.length > 1 && (yield* noteClosed(tx, { channel_id: id, key, reason }))
  const spare = channel.keys.length > 1 ? (yield* spareKeys(tx, channel)).length : 0
  const shut = { status: ChannelStatus.autoDisabled, reason, where: isOpen }
  return { key_closed, spare, channel_closed: !spare && (yield* setStatus(tx, id, shut)) }
}

/** Whether it had not been closed before. */
function* noteClosed(tx: Tx, { channel_id, key, reason }: { channel_id: number; key: string; reason: string }) {
  const row = { channel_id, key_hash: digest(key), status: ChannelStatus.autoDisabled, reason, closed_time: now() }
  const noted = yield* run(tx.insert(closedKeys).values(row).onConflictDoNothing().returning())
  return noted.length > 0
}

/** Takes an open channel out of routing until someone, or a test, opens it again. */
export async function disableChannel(channel: RoutedChannel, reason: string) {
  if (!option('AutomaticDisableChannelEnabled')) return
  const shut = { status: ChannelStatus.autoDisabled, reason, where: and(isOpen, eq(channels.auto_ban, 1)) }
  const closed = await atomic(tx => setStatus(tx, channel.id, shut))
  if (closed) await tell('channel.closed', channel, { reason })
}

const isOpen = eq(channels.status, ChannelStatus.enabled)

/** Opens what a test has found to be good, where the rules allow it: these keys, and the channel if it closed itself. */
export async function enableAgain(channel: RoutedChannel, keys: string[]) {
  resetCircuits(channel.id)
  if (!option('AutomaticEnableChannelEnabled') || !keys.length) return
  const opened = await atomic(tx => openKeys(tx, channel.id, keys))
  forgetChannels()
  if (opened) await tell('channel.reopened', channel, {})
}

/** A channel is of use again when one of these is its key still, and was not closed by hand. */
function* openKeys(tx: Tx, id: number, keys: string[]) {
  const channel = yield* lockChannel(tx, id)
  if (!channel) return false
  const byThemselves = and(eq(closedKeys.channel_id, id), eq(closedKeys.status, ChannelStatus.autoDisabled))
  yield* run(tx.delete(closedKeys).where(and(byThemselves, inArray(closedKeys.key_hash, keys.map(digest)))))
  const spare = yield* spareKeys(tx, channel)
  if (!spare.some(key => keys.includes(key))) return false
  const where = eq(channels.status, ChannelStatus.autoDisabled)
  return yield* setStatus(tx, id, { status: ChannelStatus.enabled, reason: 'test', where })
}

interface Change {
  status: number
  reason: string
  where: SQL | undefined
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
async function tell(sentence: MessageKey, { id, name }: RoutedChannel, facts: Record<string, string | number>) {
  forgetChannels()
  log.warn(sentence, { channel: id, name, ...facts })
  const root = await rootUser()
  if (!root) return
  const content = translate(languageOf(undefined, undefined), sentence, { name, id, ...facts })
  const entry = { user_id: root.id, username: root.username, type: LogType.system, channel: id, content }
  await atomic(tx => recordLog(tx, entry))
}
