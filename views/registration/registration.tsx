/** Registration page. */
import { TextField } from '../../client/components/field.tsx'
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { USERNAME_MAX } from '../../src/contracts/account.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import { NewPasswordField } from '../account/new-password-field.tsx'
import { OAuthLinks } from '../account/sign-in.tsx'
import { HumanCheck } from '../human-check/human-check.tsx'
import { AuthFoot, AuthLayout, Problem } from '../layout/auth-layout.tsx'
import { EmailFields } from './email-fields.tsx'

interface RegistrationProps {
  visit: Visit
  values: { email?: string; form_id: string }
  errors?: Record<string, string>
  /** A message that concerns no field. */
  problem?: string
  /** A code was just sent. */
  sent?: boolean
  /** Seconds until the next code. */
  wait?: number
}

export function RegistrationPage({ visit, values, errors, problem, sent, wait }: RegistrationProps) {
  const { t } = usePageContext()
  const { status } = visit
  const closed = closedReason(visit)
  return (
    <AuthLayout visit={visit} title={t('registration.title')} foot={<AuthFoot visit={visit} />}>
      {problem && <Problem>{problem}</Problem>}
      {closed ? (
        !problem && <Problem>{t(closed)}</Problem>
      ) : (
        <Form action="/register" fullPage values={values} errors={errors}>
          <input type="hidden" name="form_id" value={values.form_id} />
          <TextField
            name="username"
            label={t('registration.username')}
            help={t('registration.username_help')}
            required
            maxLength={USERNAME_MAX}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={!sent && !errors}
          />
          {status.email_verification && (
            <EmailFields action="/register" code="verification_code" email={values.email} sent={sent} wait={wait} />
          )}
          <NewPasswordField label={t('registration.password')} help={t('registration.password_help')} />
          <NewPasswordField name="password2" label={t('registration.password_again')} />
          <HumanCheck visit={visit} />
          <button type="submit" className="btn btn-primary">
            {t('registration.submit')}
          </button>
        </Form>
      )}
      {status.registration_open && <OAuthLinks visit={visit} returnTo="/app/tokens" />}
      <p className="mt-6 mb-0 ink-2">
        {t('registration.have_account')} <a href="/login">{t('registration.sign_in')}</a>
      </p>
    </AuthLayout>
  )
}

/** Why registration with a password is closed; undefined while it is open. */
function closedReason({ status }: Visit) {
  if (!status.registration_open) return 'account.registration_closed'
  return status.password_registration ? undefined : 'registration.password_closed'
}
