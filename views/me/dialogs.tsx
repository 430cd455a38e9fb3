/** Dialogs over the profile: a new password, the new access token, the deletion of the account. */

import { Copy } from '../../client/components/copy.tsx'
import { Confirm, Dialog, Drawer, Fields } from '../../client/components/drawer.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PasswordField } from '../../client/components/secret.tsx'
import { ME_PATH } from '../../src/contracts/profile.ts'
import { NewPasswordField } from '../account/new-password-field.tsx'

export function ChangePassword({ hasPassword, errors }: { hasPassword: boolean; errors?: Record<string, string> }) {
  const { t } = usePageContext()
  return (
    <Drawer
      title={t(hasPassword ? 'me.password_change' : 'me.password_set')}
      close={ME_PATH}
      action={`${ME_PATH}/password`}
      errors={errors}
      submit={t('ui.save')}
    >
      <Fields title={t('me.password_ends_sessions')}>
        {hasPassword && (
          <PasswordField
            name="original_password"
            label={t('me.password_now')}
            autoComplete="current-password"
            required
            autoFocus
          />
        )}
        <NewPasswordField label={t('me.password_new')} />
        <NewPasswordField name="password2" label={t('me.password_again')} />
      </Fields>
    </Drawer>
  )
}

export function NewToken({ token }: { token: string }) {
  const { t } = usePageContext()
  return (
    <Dialog
      title={t('me.token_created')}
      text={t('me.token_once')}
      facts={<input className="input mono" readOnly value={token} aria-label={t('me.token')} />}
      close={ME_PATH}
    >
      <Copy text={token} className="btn">
        {t('ui.copy')}
      </Copy>
      <PageLink href={ME_PATH} className="btn btn-primary" data-close>
        {t('ui.done')}
      </PageLink>
    </Dialog>
  )
}

export function DeleteAccount({ username, error }: { username: string; error?: string }) {
  const { t } = usePageContext()
  return (
    <Confirm
      title={t('me.delete')}
      text={t('me.delete_text')}
      name={username}
      close={ME_PATH}
      action={`${ME_PATH}/delete`}
      fullPage
      submit={t('me.delete_do')}
      error={error}
    />
  )
}
