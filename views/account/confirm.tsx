/** Page that asks again who the user is, before a dangerous step. */
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PasswordField } from '../../client/components/secret.tsx'
import { CONFIRM_SECONDS } from '../../src/contracts/security.ts'
import { CONFIRM_PATH } from '../../src/contracts/security-paths.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import { AuthLayout } from '../layout/auth-layout.tsx'
import { FactorForms } from './second-factor.tsx'

interface ConfirmProps {
  visit: Visit
  /** What the user has to confirm with. */
  method: 'password' | 'factor' | 'sign-in'
  /** Whether the user has a passkey. */
  passkey: boolean
  returnTo: string
  errors?: Record<string, string>
}

export function Confirm(props: ConfirmProps) {
  const { visit, method, passkey, returnTo, errors } = props
  const { t } = usePageContext()
  const lead = t('security.confirm_lead', { minutes: CONFIRM_SECONDS / 60 })
  return (
    <AuthLayout
      visit={visit}
      title={t('security.confirm_title')}
      lead={method === 'sign-in' ? t('security.confirm_by_sign_in') : lead}
      foot={visit.status.system_name}
    >
      {method === 'password' && <ByPassword {...props} />}
      {method === 'factor' && (
        <FactorForms action={CONFIRM_PATH} challenge="/api/user/confirm/challenge" {...{ passkey, returnTo, errors }} />
      )}
      {method === 'sign-in' && (
        <Form action="/logout" fullPage>
          <button type="submit" className="btn btn-primary">
            {t('shell.sign_out')}
          </button>
        </Form>
      )}
      <a href={returnTo} className="btn btn-ghost mt-2 w-full">
        {t('ui.cancel')}
      </a>
    </AuthLayout>
  )
}

function ByPassword({ visit, returnTo, errors }: ConfirmProps) {
  const { t } = usePageContext()
  return (
    <Form action={CONFIRM_PATH} fullPage errors={errors} returnTo={returnTo}>
      {/* For the browser's password manager. */}
      <input name="username" autoComplete="username" value={visit.caller?.username} readOnly hidden />
      <PasswordField
        name="password"
        label={t('security.password')}
        autoComplete="current-password"
        required
        autoFocus
      />
      <button type="submit" className="btn btn-primary">
        {t('security.confirm')}
      </button>
    </Form>
  )
}
