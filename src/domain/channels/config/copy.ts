/** A copy of a channel with its keys, which never leave the server. */
import { eq } from 'drizzle-orm'
import type { Actor } from '../../../contracts/actor.ts'
import { CHANNEL_NAME_MAX, ChannelStatus } from '../../../contracts/channel.ts'
import { notFound } from '../../../contracts/refusal.ts'
import { atomic, lock, run } from '../../../db/atomic.ts'
import { now } from '../../../process/clock.ts'
import { announceChannels } from '../../routing/index.ts'
import { type ChannelRow, channels, disabledKeys } from '../table.ts'
import { rebuildAbilities } from './abilities.ts'
import { recordChannel } from './audit-entry.ts'

const SUFFIX = '_copy'

/** Tests, balance and usage start anew; disabled keys stay disabled. @throws Refusal 404 */
export async function copyChannel(source_id: number, actor: Actor): Promise<{ id: number; name: string }> {
  const copy = await atomic(function* (tx) {
    const [source] = yield* lock(tx, channels, eq(channels.id, source_id))
    if (!source) throw notFound('channel.gone')
    const [copy] = yield* run(tx.insert(channels).values(copyOf(source)).returning())
    yield* rebuildAbilities(tx, [copy!])
    const disabled = yield* run(tx.select().from(disabledKeys).where(eq(disabledKeys.channel_id, source_id)))
    if (disabled.length) {
      yield* run(tx.insert(disabledKeys).values(disabled.map(key => ({ ...key, channel_id: copy!.id }))))
    }
    yield* recordChannel(tx, actor, { action: 'channel.copy', before: undefined, after: copy })
    yield* announceChannels(tx)
    return copy!
  })
  return { id: copy.id, name: copy.name }
}

function copyOf({ id, name, status, ...source }: ChannelRow) {
  return {
    ...source,
    name: name.slice(0, CHANNEL_NAME_MAX - SUFFIX.length) + SUFFIX,
    status: status === ChannelStatus.enabled ? status : ChannelStatus.disabled,
    used_quota: 0,
    response_time: 0,
    test_time: 0,
    test_failure: '',
    balance: 0,
    balance_updated_time: 0,
    other_info: '',
    created_time: now(),
  }
}
