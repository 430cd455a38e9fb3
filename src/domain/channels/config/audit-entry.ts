/** Changes of channels in the audit log. */
import type { Actor } from '../../../contracts/actor.ts'
import type { AuditAction } from '../../../contracts/audit-log.ts'
import type { Tx } from '../../../db/database.ts'
import { recordChange } from '../../audit-log/index.ts'
import type { ChannelRow } from '../table.ts'

interface RecordedChannel {
  action: AuditAction
  before: ChannelRow | undefined
  after: ChannelRow | undefined
  /** Rows of auto-disabled keys that the change has enabled. */
  enabled_keys?: object[]
}

/** Records a creation, an edit or a deletion with what operators set. */
export function* recordChannel(tx: Tx, actor: Actor, { action, before, after, enabled_keys }: RecordedChannel) {
  const { id, name } = (after ?? before)!
  const isSwitched = before && after && before.status !== after.status
  yield* recordChange(tx, actor, {
    action,
    target: { kind: 'channel', id, name },
    before: before
      ? {
          ...settingsOf(before),
          ...(isSwitched && { other_info: before.other_info }),
          ...(enabled_keys?.length && { enabled_keys }),
        }
      : {},
    after: after ? { ...settingsOf(after), ...(isSwitched && { other_info: after.other_info }) } : {},
    secrets,
  })
}

/** Without figures that change by themselves. The sealed keys show whether they were changed; why a channel is disabled belongs to its status. */
function settingsOf({ key_sealed: key, ...row }: ChannelRow): Record<string, unknown> {
  const { id, used_quota, response_time, test_time, test_failure, balance, balance_updated_time, ...others } = row
  const { other_info, created_time, ...set } = others
  return { ...set, key }
}

/** `setting` may hold the password of a proxy. */
const secrets = ['key', 'setting']
