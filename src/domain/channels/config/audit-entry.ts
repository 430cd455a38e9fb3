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
}

/** Records a creation, an edit or a deletion with what operators set. */
export function* recordChannel(tx: Tx, actor: Actor, { action, before, after }: RecordedChannel) {
  const { id, name } = (after ?? before)!
  yield* recordChange(tx, actor, {
    action,
    target: { kind: 'channel', id, name },
    before: before ? settingsOf(before) : {},
    after: after ? settingsOf(after) : {},
    secrets,
  })
}

/** Without figures that change by themselves. The sealed keys show whether they were changed. */
function settingsOf({ key_sealed: key, ...row }: ChannelRow): Record<string, unknown> {
  const { id, used_quota, response_time, test_time, test_failure, balance, balance_updated_time, ...others } = row
  const { other_info, created_time, ...set } = others
  return { ...set, key }
}

/** `setting` may hold the password of a proxy. */
const secrets = ['key', 'setting']
