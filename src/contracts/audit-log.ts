/** The audit log in the API: administrative changes, their filters, their fields. */
import { z } from 'zod'
import { optional } from './paging.ts'

export const AUDIT_PATH = '/admin/audit'

/** Takes back what one request has changed: its id follows. */
export const UNDO_PATH = '/admin/undo'

/** Every kind of administrative change, as noun and verb. */
export const AUDIT_ACTIONS = [
  ...(['option.change', 'log.clear'] as const),
  ...(['user.create', 'user.edit', 'user.promote', 'user.demote', 'user.disable', 'user.enable'] as const),
  ...(['user.delete', 'user.sign_out', 'user.reset_link', 'user.reset_password', 'user.top_up'] as const),
  'user.refund_call',
  ...([
    'redemption.create',
    'redemption.edit',
    'redemption.disable',
    'redemption.enable',
    'redemption.delete',
  ] as const),
  ...(['message.create', 'message.edit', 'message.delete'] as const),
  ...([
    'channel.create',
    'channel.edit',
    'channel.delete',
    'channel.switch_key',
    'channel.copy',
    'channel.fix',
  ] as const),
  'secret_key.rotate',
  'token.rotate',
  ...(['budget.create', 'budget.edit', 'budget.delete'] as const),
  ...(['payment.credit', 'payment.dismiss', 'task.fail'] as const),
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

const moment = z.coerce.number().int().min(0).optional()

/** An invalid filter counts as absent. Times are unix seconds, inclusive. */
export const AuditFilter = z.object({
  action: z.enum(AUDIT_ACTIONS).optional().catch(undefined),
  /** Name of the acting user, exactly. */
  actor: optional,
  /** A part of the target's name, or its whole id. */
  keyword: optional,
  start_timestamp: moment.catch(undefined),
  end_timestamp: moment.catch(undefined),
})
export type AuditFilter = z.output<typeof AuditFilter>

export const AuditQuery = AuditFilter.extend({ p: optional, page_size: optional })

export interface AuditEntry {
  id: number
  created_time: number
  actor_id: number
  actor_name: string
  action: AuditAction
  target_kind: string
  target_id: string
  target_name: string
  /** Changed fields only; a secret is `changed`. */
  before: Record<string, unknown>
  after: Record<string, unknown>
  address: string
  request_id: string
}
