/** Drawers that create a user or edit one. */
import type { ReactNode } from 'react'
import { Drawer, Fields } from '../../client/components/drawer.tsx'
import { SelectField, TextField } from '../../client/components/field.tsx'
import { OverlayLink } from '../../client/components/link.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Budget } from '../../src/contracts/budget.ts'
import type { UserView } from '../../src/contracts/user.ts'
import { NewPasswordField } from '../account/new-password-field.tsx'
import { LimitField } from '../budgets/limit-field.tsx'
import { BudgetList } from '../budgets/list.tsx'
import type { ReachedUser } from './reach.ts'
import { ManageForm, UserActions } from './user-actions.tsx'
import { budgetsOfUsers, type UsersView, usersAction, usersAt } from './view.ts'

/** Form values by field name, as typed. */
export type UserFormValues = Record<string, string>

interface NewUserDrawerProps {
  view: UsersView
  form: UserFormValues
  errors: Record<string, string | undefined>
}

interface UserDrawerProps extends NewUserDrawerProps {
  user: ReachedUser
  /** Ratio of each group. */
  groups: Record<string, number>
  budgets: Budget[]
}

export function NewUserDrawer({ view, form, errors }: NewUserDrawerProps) {
  const { t } = usePageContext()
  return (
    <Drawer
      title={t('user.add')}
      close={usersAt(view)}
      action={usersAt(view, 'new')}
      returnTo={usersAt(view)}
      submit={t('user.add')}
      values={form}
      errors={errors}
    >
      <Fields title={t('user.account')}>
        <NameFields autoFocus={Object.keys(errors).length === 0} />
        <NewPasswordField label={t('user.password')} help={t('user.password_help')} />
      </Fields>
      <input type="hidden" name="form_id" value={form.form_id ?? ''} />
    </Drawer>
  )
}

export function UserDrawer({ view, user, form, errors, groups, budgets }: UserDrawerProps) {
  const { t } = usePageContext()
  return (
    <>
      <Drawer
        title={t('user.edit_title', { name: user.username })}
        close={usersAt(view)}
        action={usersAction(view, String(user.id))}
        returnTo={usersAt(view)}
        submit={t('ui.save')}
        values={form}
        errors={errors}
      >
        <UserActions user={user} view={view} />
        <Fields title={t('user.account')}>
          <NameFields />
          <NewPasswordField label={t('user.new_password')} help={t('user.new_password_help')} required={false} />
        </Fields>
        <Fields title={t('user.limits')}>
          <GroupField groups={groups} chosen={user.group} />
          <div className="grid sm:grid-cols-2 gap-3">
            <TextField
              name="concurrency_limit"
              label={t('user.concurrency')}
              number
              inputMode="numeric"
              autoComplete="off"
              help={t('user.concurrency_help')}
            />
            <TextField
              name="tokens_per_minute"
              label={t('user.tokens_per_minute')}
              placeholder={t('user.limit_of_site')}
              number
              inputMode="numeric"
              autoComplete="off"
              help={t('user.tokens_per_minute_help')}
            />
          </div>
          <LimitField help={t('budget.limit_help_user')} />
        </Fields>
        <Fields title={t('budget.budgets')}>
          <BudgetList budgets={budgets} place={user.changeable ? budgetsOfUsers(view) : undefined} of={user.id} />
        </Fields>
        <Fields title={t('user.balance')}>
          <div className="flex items-center gap-3">
            <span className="text-lg font-semibold">
              <Quota of={user.quota} />
            </span>
            <OverlayLink className="btn btn-sm" href={usersAt(view, { quota: user.id })}>
              {t('user.adjust')}
            </OverlayLink>
          </div>
        </Fields>
        <Fields title={t('user.bound')}>
          <BoundAccounts user={user} />
        </Fields>
      </Drawer>
      <ManageForm user={user} returnTo={usersAt(view)} />
    </>
  )
}

function NameFields({ autoFocus }: { autoFocus?: boolean }) {
  const { t } = usePageContext()
  return (
    <>
      <TextField
        name="username"
        label={t('user.username')}
        required
        autoComplete="off"
        spellCheck={false}
        {...(autoFocus && { autoFocus })}
      />
      <TextField name="display_name" label={t('user.display_name')} optional autoComplete="off" />
    </>
  )
}

/** @param chosen group of the user: it stays a choice when it has no price any more */
export function GroupField({ groups, chosen }: { groups: Record<string, number>; chosen?: string }) {
  const { t } = usePageContext()
  const names = Object.keys(groups)
  const lost = chosen && !(chosen in groups) ? [{ value: chosen, label: chosen }] : []
  const options = names.map(name => ({ value: name, label: `${name} ×${groups[name]}` }))
  return <SelectField name="group" label={t('user.group')} options={[...options, ...lost]} />
}

function BoundAccounts({ user }: { user: UserView }) {
  const { t } = usePageContext()
  const accounts: [label: string, value: string][] = [
    [t('user.bound_email'), user.email],
    ['GitHub', user.github_id],
    ['OIDC', user.oidc_id],
    ['Linux DO', user.linux_do_id],
    ['WeChat', user.wechat_id],
    ['Telegram', user.telegram_id],
  ]
  return (
    <dl className="facts">
      {accounts.map(([label, value]) => (
        <Fact key={label} name={label}>
          {value || <span className="ink-3">{t('user.bound_none')}</span>}
        </Fact>
      ))}
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
