/** Dialogs that add quota: to one balance, as old + delta = new, and to those of several users. */
import { Drawer } from '../../client/components/drawer.tsx'
import { type Preset, TextField } from '../../client/components/field.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { REMARK_MAX } from '../../src/contracts/top-up.ts'
import type { UserView } from '../../src/contracts/user.ts'
import { grouped } from '../../src/pure/number.ts'
import type { UserFormValues } from './drawer.tsx'
import { type UsersView, usersAction, usersAt } from './view.ts'

interface QuotaDialogProps {
  view: UsersView
  user: UserView
  form: UserFormValues
  errors: Record<string, string | undefined>
}

export function QuotaDialog({ view, user, form, errors }: QuotaDialogProps) {
  const { t, currency } = usePageContext()
  const { id, username: name, quota } = user
  return (
    <Drawer
      title={t('user.adjust_title', { name })}
      close={usersAt(view, { edit: id })}
      action={usersAction(view, `${id}/quota`)}
      returnTo={usersAt(view)}
      submit={t('user.adjust_do')}
      values={form}
      errors={errors}
    >
      <AmountFields form={form} />
      <tollgate-sum
        quota={String(quota)}
        currency={JSON.stringify(currency)}
        of="field-quota_delta"
        class="facts mt-4"
        role="group"
        aria-label={t('user.sum')}
      >
        <span className="ink-3">{t('user.balance')}</span>
        <span className="number">
          <Quota of={quota} />
        </span>
        <span className="ink-3 script-only">{t('user.sum')}</span>
        <output className="number script-only font-semibold" htmlFor="field-quota_delta" />
      </tollgate-sum>
    </Drawer>
  )
}

interface QuotaForManyProps extends Omit<QuotaDialogProps, 'user'> {
  ids: number[]
}

export function QuotaForMany({ view, ids, form, errors }: QuotaForManyProps) {
  const { t } = usePageContext()
  return (
    <Drawer
      title={t('user.adjust_many_title', { count: ids.length })}
      close={usersAt(view)}
      action={usersAction(view, `${ids.join(',')}/add-quota`)}
      returnTo={usersAt(view)}
      submit={t('user.adjust_many_do')}
      values={form}
      errors={errors}
    >
      <AmountFields form={form} />
    </Drawer>
  )
}

const AMOUNTS = [1, 10, 50, 100, 500]

function AmountFields({ form }: { form: UserFormValues }) {
  const { t, currency } = usePageContext()
  const { display_in_currency, quota_per_unit } = currency
  const presets: Preset[] = AMOUNTS.map(amount => ({
    value: String(display_in_currency ? amount : amount * quota_per_unit),
    label: `+$${grouped(amount)}`,
  }))
  return (
    <>
      <TextField
        name="quota_delta"
        label={t('user.adjust_amount')}
        unit={display_in_currency ? 'USD' : t('user.quota_unit')}
        help={t('user.adjust_help')}
        number
        inputMode="text"
        autoComplete="off"
        presets={presets}
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
      <input type="hidden" name="form_id" value={form.form_id ?? ''} />
    </>
  )
}
