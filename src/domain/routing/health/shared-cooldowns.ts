/** A cooldown that one node begins holds on every node. */
import { tellOthers } from '../../../cluster/changes.ts'
import { onInvalidation } from '../../../cluster/invalidation.ts'
import { digest } from '../../../crypto/sealing.ts'
import { atomic } from '../../../db/atomic.ts'
import { dialect } from '../../../db/dialect.ts'
import { log, reason } from '../../../process/log.ts'
import { channelById } from '../routing-table.ts'
import { type BegunCooldown, beginCooldown, cooldownBegun } from './breaker.ts'

const COOLDOWNS = 'cooldowns'

/** On the wire between nodes: a hash in place of the key. */
type SharedCooldown = Omit<BegunCooldown, 'place'> & { channel_id: number; key_hash?: string; model?: string }

cooldownBegun.listen(({ place: { channel_id, key, model }, ...cooldown }) => {
  if (dialect === 'sqlite') return
  const shared: SharedCooldown = { ...cooldown, channel_id, model, ...(key !== undefined && { key_hash: digest(key) }) }
  atomic(tx => tellOthers(tx, COOLDOWNS, [{ ...shared }])).catch(error =>
    log.warn('cooldown not shared', { channel: channel_id, reason: reason(error) }),
  )
})

onInvalidation(COOLDOWNS, key => {
  if (key === undefined) return
  const shared = key as SharedCooldown
  adopt(shared).catch(error => log.warn('cooldown not adopted', { channel: shared.channel_id, reason: reason(error) }))
})

/** A channel or key that is gone has no cooldown. */
async function adopt({ channel_id, key_hash, model, ...cooldown }: SharedCooldown) {
  const channel = await channelById(channel_id)
  const key = key_hash === undefined ? undefined : channel?.keys.find(key => digest(key) === key_hash)
  if (!channel || (key_hash !== undefined && key === undefined)) return
  beginCooldown({ place: { channel_id, key, model }, ...cooldown })
}
