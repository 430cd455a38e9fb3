/** What an administrative change did, in words. */
import Undo2 from 'lucide/dist/esm/icons/undo-2.mjs'
import { Copy } from '../../client/components/copy.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { ActionButton, PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { AuditAction, AuditEntry } from '../../src/contracts/audit-log.ts'
import type { MessageKey, Translate } from '../../src/locales/index.ts'
import { type AuditItem, undoAt } from './view.ts'

const labels = {
  'option.change': 'audit.option_change',
  'log.clear': 'audit.log_clear',
  'user.create': 'audit.user_create',
  'user.edit': 'audit.user_edit',
  'user.promote': 'audit.user_promote',
  'user.demote': 'audit.user_demote',
  'user.disable': 'audit.user_disable',
  'user.enable': 'audit.user_enable',
  'user.delete': 'audit.user_delete',
  'user.sign_out': 'audit.user_sign_out',
  'user.reset_link': 'audit.user_reset_link',
  'user.reset_password': 'audit.user_reset_password',
  'redemption.create': 'audit.redemption_create',
  'redemption.edit': 'audit.redemption_edit',
  'redemption.disable': 'audit.redemption_disable',
  'redemption.enable': 'audit.redemption_enable',
  'redemption.delete': 'audit.redemption_delete',
  'user.top_up': 'audit.user_top_up',
  'user.refund_call': 'audit.user_refund_call',
  'message.create': 'audit.message_create',
  'message.edit': 'audit.message_edit',
  'message.delete': 'audit.message_delete',
  'channel.create': 'audit.channel_create',
  'channel.edit': 'audit.channel_edit',
  'channel.delete': 'audit.channel_delete',
  'channel.switch_key': 'audit.channel_switch_key',
  'secret_key.rotate': 'audit.secret_key_rotate',
  'token.rotate': 'audit.token_rotate',
  'budget.create': 'audit.budget_create',
  'budget.edit': 'audit.budget_edit',
  'budget.delete': 'audit.budget_delete',
  'channel.copy': 'audit.channel_copy',
  'channel.fix': 'audit.channel_fix',
  'payment.credit': 'audit.payment_credit',
  'payment.dismiss': 'audit.payment_dismiss',
  'task.fail': 'audit.task_fail',
} as const satisfies Record<AuditAction, MessageKey>

export const actionText = ({ action }: Pick<AuditEntry, 'action'>, t: Translate): string => t(labels[action])

const SUMMARY_FIELDS_MAX = 3

/** Names of the changed fields, at most three; a single one with its values. */
export function Summary({ entry: { changes, target } }: { entry: AuditItem }) {
  const { t } = usePageContext()
  const [change] = changes
  if (changes.length === 1) {
    const { label, before, after } = change!
    // Of a secret neither value is kept.
    const values = before === after ? after : `${before} → ${after}`
    return <span className="block truncate">{label === target ? values : `${label} ${values}`}</span>
  }
  const more = changes.length - SUMMARY_FIELDS_MAX
  return (
    <span className="block truncate">
      {changes
        .slice(0, SUMMARY_FIELDS_MAX)
        .map(({ label }) => label)
        .join(', ')}
      {more > 0 && ` ${t('audit.more_fields', { count: more })}`}
    </span>
  )
}

/** Every changed field with both values, and where the request came from. @param at address of the opened entry */
export function ChangedFields({ entry, at }: { entry: AuditItem; at: string }) {
  const { t } = usePageContext()
  const { changes, href, target, can_undo, address, request_id } = entry
  return (
    <div className="audit-detail">
      <table className="changed-fields">
        <thead>
          <tr>
            <th scope="col">{t('audit.field')}</th>
            <th scope="col">{t('audit.before')}</th>
            <th scope="col">{t('audit.after')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ label, before, after }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{before}</td>
              <td>{after}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {(href || can_undo) && (
        <div className="flex flex-wrap gap-2">
          {href && (
            <PageLink href={href} className="btn btn-sm">
              {t('audit.open', { target })}
            </PageLink>
          )}
          {can_undo && (
            <ActionButton action={undoAt(entry.id)} returnTo={at} className="btn btn-sm">
              <Icon of={Undo2} small />
              {t('ui.undo')}
            </ActionButton>
          )}
        </div>
      )}
      <dl className="facts">
        <dt>{t('audit.address')}</dt>
        <dd className="mono">{address || t('audit.no_address')}</dd>
        {request_id && (
          <>
            <dt>{t('audit.request')}</dt>
            <dd>
              <span className="mono">{request_id}</span>{' '}
              <Copy text={request_id} className="icon-button wide-only !h-5 !min-w-5 align-middle" />
            </dd>
          </>
        )}
      </dl>
    </div>
  )
}
