/** Disables a key or a channel after a fatal upstream error, and enables it again when a test passes. */
import { and, eq, inArray, type SQL } from 'drizzle-orm'
import { ChannelStatus } from '../../../contracts/channel.ts'
import type { EventCause } from '../../../contracts/channel-history.ts'
import { LogType } from '../../../contracts/log.ts'
import { digest } from '../../../crypto/sealing.ts'
import { atomic, run } from '../../../db/atomic.ts'
import type { Tx } from '../../../db/database.ts'
import type { MessageKey } from '../../../locales/index.ts'
import { announcement } from '../../../process/announcement.ts'
import { now } from '../../../process/clock.ts'
import { log } from '../../../process/log.ts'
import { abilities, channels, disabledKeys } from '../../channels/table.ts'
import { writeLog } from '../../logs/index.ts'
import { option } from '../../options/index.ts'
import { rootUser } from '../../users/index.ts'
import { announceChannels, announceReset } from '../announce-channels.ts'
import { enabledKeys, lockChannel, maskKey } from '../channel-keys.ts'
import type { RoutedChannel } from '../routed-channel.ts'
import { countEvent } from './channel-events.ts'

type ReportedStatus = typeof ChannelStatus.enabled | typeof ChannelStatus.autoDisabled

interface StatusReport {
  id: number
  name: string
  status: ReportedStatus
  /** Reason of the auto-disabling. */
  reason: string
}

/** A channel was auto-disabled after a fatal failure, or enabled again after a test. */
export const statusChanged = announcement<StatusReport>('channel-status')

/** Disables one key if the options allow it, and the channel when no other key is left. */
export async function disableKey(channel: RoutedChannel, key: string, reason: string, cause: EventCause) {
  if (!option('AutomaticDisableChannelEnabled')) return
  const { key_disabled, channel_disabled, spare } = await atomic(tx => disableLocked(tx, channel.id, key, reason))
  if (channel_disabled) countEvent({ channel_id: channel.id, event: 'closed', cause, reason })
  else if (key_disabled) countEvent({ channel_id: channel.id, event: 'key_closed', cause, reason })
  if (channel_disabled) await reportStatus(channel, ChannelStatus.autoDisabled, reason)
  else if (key_disabled) await report('channel.key_closed', channel, { key: maskKey(key), reason, spare })
}

const unchanged = { key_disabled: false, channel_disabled: false, spare: 0 }

/** Under a lock: when all keys fail at the same moment, the last transaction finds none left. */
function* disableLocked(tx: Tx, id: number, key: string, reason: string) {
  const channel = yield* lockChannel(tx, id)
  // A long call may have failed with a key that was replaced meanwhile.
  if (!channel?.auto_ban || !channel.keys.includes(key)) return unchanged
  const key_disabled = channel.keys.length > 1 && (yield* insertDisabledKey(tx, { channel_id: id, key, reason }))
  const spare = channel.keys.length > 1 ? (yield* enabledKeys(tx, channel)).length : 0
  const change = { status: ChannelStatus.autoDisabled, reason, where: isEnabled }
  return { key_disabled, spare, channel_disabled: !spare && (yield* setStatus(tx, id, change)) }
}

/** @returns false when the key is disabled already */
function* insertDisabledKey(tx: Tx, { channel_id, key, reason }: { channel_id: number; key: string; reason: string }) {
  const row = { channel_id, key_hash: digest(key), status: ChannelStatus.autoDisabled, reason, closed_time: now() }
  const inserted = yield* run(tx.insert(disabledKeys).values(row).onConflictDoNothing().returning())
  if (inserted.length) yield* announceChannels(tx)
  return inserted.length > 0
}

/** Takes an enabled channel out of routing until an operator or a test enables it. */
export async function disableChannel(channel: RoutedChannel, reason: string, cause: EventCause) {
  if (!option('AutomaticDisableChannelEnabled')) return
  const change = { status: ChannelStatus.autoDisabled, reason, where: and(isEnabled, eq(channels.auto_ban, 1)) }
  const isChanged = await atomic(tx => setStatus(tx, channel.id, change))
  if (!isChanged) return
  countEvent({ channel_id: channel.id, event: 'closed', cause, reason })
  await reportStatus(channel, ChannelStatus.autoDisabled, reason)
}

const isEnabled = eq(channels.status, ChannelStatus.enabled)

/** Enables these keys, which have passed a test, and their channel if it was auto-disabled, where options allow it. */
export async function enableAgain(channel: RoutedChannel, keys: string[]) {
  const isAllowed = option('AutomaticEnableChannelEnabled') && keys.length > 0
  const isChanged = await atomic(function* (tx) {
    yield* announceReset(tx, [channel.id])
    return isAllowed && (yield* enableLocked(tx, channel.id, keys))
  })
  if (!isChanged) return
  countEvent({ channel_id: channel.id, event: 'reopened', cause: 'test', reason: '' })
  await reportStatus(channel, ChannelStatus.enabled)
}

/** Enables the channel only if one of these is still its key and was not disabled by hand. */
function* enableLocked(tx: Tx, id: number, keys: string[]) {
  const channel = yield* lockChannel(tx, id)
  if (!channel) return false
  const autoDisabled = and(eq(disabledKeys.channel_id, id), eq(disabledKeys.status, ChannelStatus.autoDisabled))
  yield* run(tx.delete(disabledKeys).where(and(autoDisabled, inArray(disabledKeys.key_hash, keys.map(digest)))))
  yield* announceChannels(tx)
  const spare = yield* enabledKeys(tx, channel)
  if (!spare.some(key => keys.includes(key))) return false
  const where = eq(channels.status, ChannelStatus.autoDisabled)
  return yield* setStatus(tx, id, { status: ChannelStatus.enabled, reason: 'test', where })
}

interface StatusChange {
  status: number
  reason: string
  where: SQL | undefined
}

/** @returns whether the status changed: of several transactions with the same finding one does it */
function* setStatus(tx: Tx, id: number, { status, reason, where }: StatusChange) {
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
  yield* announceChannels(tx)
  return true
}

async function reportStatus({ id, name }: RoutedChannel, status: ReportedStatus, reason = '') {
  statusChanged.announce({ id, name, status, reason })
  const isDisabled = status === ChannelStatus.autoDisabled
  await report(isDisabled ? 'channel.closed' : 'channel.reopened', { id, name }, isDisabled ? { reason } : {})
}

/** Writes the change into the process log and the usage log of the root user. */
async function report(
  message: MessageKey,
  { id, name }: Pick<RoutedChannel, 'id' | 'name'>,
  params: Record<string, string | number>,
) {
  log.warn(message, { channel: id, name, ...params })
  const root = await rootUser()
  if (!root) return
  const entry = { user_id: root.id, username: root.username, type: LogType.system, channel: id, content: message }
  await writeLog({ ...entry, other: JSON.stringify({ params: { name, id, ...params } }) })
}

/** Reason and moment at which a channel was auto-disabled. @returns undefined when it is not */
export function autoDisableOf({ status, other_info }: Pick<RoutedChannel, 'status' | 'other_info'>) {
  if (status !== ChannelStatus.autoDisabled || !other_info) return undefined
  const { status_reason, status_time } = JSON.parse(other_info)
  return { reason: String(status_reason), at: Number(status_time) }
}
