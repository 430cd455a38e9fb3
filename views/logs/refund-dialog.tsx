/** Drawer that refunds a call: its cost, what was given back of it, amount and remark. */
import { Drawer } from '../../client/components/drawer.tsx'
import { TextField } from '../../client/components/field.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { CallRefunds } from '../../src/contracts/call-refund.ts'
import { LOGS_PATH } from '../../src/contracts/log.ts'
import { REMARK_MAX } from '../../src/contracts/top-up.ts'
import { type LogsView, logsAt } from './view.ts'

export interface RefundDialogProps {
  view: LogsView
  /** Id of the entry. */
  id: number
  username: string
  given: CallRefunds
  form: { amount: string; remark: string; form_id: string }
  errors?: Record<string, string | undefined>
}

export function RefundDialog({ view, id, username, given, form, errors }: RefundDialogProps) {
  const { t, currency } = usePageContext()
  const entry = logsAt(view, { open: id })
  return (
    <Drawer
      title={t('log.refund_title', { name: username })}
      close={entry}
      action={`${LOGS_PATH}/${id}/refund`}
      returnTo={entry}
      submit={t('log.refund_do')}
      values={form}
      errors={errors}
    >
      <dl className="facts mb-5">
        <dt>{t('log.refund_cost')}</dt>
        <dd>
          <Quota of={given.cost} decimals={6} />
        </dd>
        <dt>{t('log.refunded')}</dt>
        <dd>
          <Quota of={given.refunded} decimals={6} />
        </dd>
        <dt>{t('log.refund_left')}</dt>
        <dd>
          <Quota of={given.left} decimals={6} />
        </dd>
      </dl>
      <TextField
        name="amount"
        label={t('log.refund_amount')}
        unit={currency.display_in_currency ? 'USD' : t('user.quota_unit')}
        help={t('log.refund_note')}
        number
        autoComplete="off"
        required
        autoFocus
      />
      <TextField
        name="remark"
        className="mt-4"
        label={t('user.remark')}
        help={t('user.remark_help')}
        maxLength={REMARK_MAX}
        autoComplete="off"
        optional
      />
      <input type="hidden" name="form_id" value={form.form_id} />
    </Drawer>
  )
}
