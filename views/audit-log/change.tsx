/** What an administrative change did, in words. */
import { Copy } from '../../client/components/copy.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { AuditAction, AuditEntry } from '../../src/contracts/audit-log.ts'
import type { MessageKey, Translate } from '../../src/locales/index.ts'

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
  'channel.copy': 'audit.channel_copy',
  'channel.fix': 'audit.channel_fix',
  'payment.credit': 'audit.payment_credit',
  'payment.dismiss': 'audit.payment_dismiss',
  'task.fail': 'audit.task_fail',
} as const satisfies Record<AuditAction, MessageKey>

export const actionText = ({ action }: Pick<AuditEntry, 'action'>, t: Translate): string => t(labels[action])

/** `#3 openai-main`, or the key of an option. */
export const targetName = ({ target_id, target_name }: AuditEntry): string =>
  target_name ? `#${target_id} ${target_name}` : target_id

const fieldsOf = ({ before, after }: AuditEntry) => [...new Set([...Object.keys(before), ...Object.keys(after)])]

const SUMMARY_FIELDS_MAX = 3

/** Names of the changed fields, at most three; a single one with its values. */
export function Summary({ entry }: { entry: AuditEntry }) {
  const { t } = usePageContext()
  const fields = fieldsOf(entry)
  const [field] = fields
  if (fields.length === 1) {
    const [before, after] = [textOf(entry.before[field!]), textOf(entry.after[field!])]
    // A secret has a mark in place of both values.
    const change = before === after ? after : `${before} → ${after}`
    return <span className="mono text-help block truncate">{`${field} ${change}`}</span>
  }
  const more = fields.length - SUMMARY_FIELDS_MAX
  return (
    <span className="mono text-help block truncate">
      {fields.slice(0, SUMMARY_FIELDS_MAX).join(', ')}
      {more > 0 && ` ${t('audit.more_fields', { count: more })}`}
    </span>
  )
}

/** Every changed field with both values, and where the request came from. */
export function ChangedFields({ entry }: { entry: AuditEntry }) {
  const { t } = usePageContext()
  const { address, request_id } = entry
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
          {fieldsOf(entry).map(field => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td>{textOf(entry.before[field])}</td>
              <td>{textOf(entry.after[field])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="facts">
        {address && (
          <>
            <dt>{t('audit.address')}</dt>
            <dd className="mono">{address}</dd>
          </>
        )}
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

/** A blank value is a dash. */
const textOf = (value: unknown): string =>
  value === undefined || value === null || value === ''
    ? '–'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
