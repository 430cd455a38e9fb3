/** Second step of a sign-in, and the same question before a dangerous step of an account without a password. */
import KeyRound from 'lucide/dist/esm/icons/key-round.mjs'
import { ErrorText, TextField } from '../../client/components/field.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { SECOND_FACTOR_PATH } from '../../src/contracts/security-paths.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import { AuthLayout } from '../layout/auth-layout.tsx'
import { PasskeyForm } from './passkey-form.tsx'

interface SecondFactorProps {
  visit: Visit
  ticket: string
  /** Whether the user has a passkey. */
  passkey: boolean
  returnTo: string
  errors?: Record<string, string>
}

export function SecondFactor({ visit, ticket, passkey, returnTo, errors }: SecondFactorProps) {
  const { t } = usePageContext()
  const again = `/login?${new URLSearchParams({ returnTo })}`
  return (
    <AuthLayout
      visit={visit}
      title={t('security.second_step_title')}
      lead={t('security.second_step_lead')}
      foot={visit.status.system_name}
    >
      <FactorForms
        action={SECOND_FACTOR_PATH}
        challenge="/api/user/login/second-factor/challenge"
        body={{ ticket }}
        {...{ passkey, returnTo, errors }}
      />
      <a href={again} className="btn btn-ghost mt-2 w-full">
        {t('security.start_again')}
      </a>
    </AuthLayout>
  )
}

interface FactorFormsProps extends Pick<SecondFactorProps, 'passkey' | 'returnTo' | 'errors'> {
  action: string
  /** API path that returns a challenge for the passkey. */
  challenge: string
  body?: object
}

export function FactorForms({ action, challenge, body, passkey, returnTo, errors }: FactorFormsProps) {
  const { t } = usePageContext()
  return (
    <>
      {passkey && (
        <PasskeyForm ceremony="get" {...{ action, challenge, body, returnTo }}>
          <button type="submit" className="btn btn-primary">
            <Icon of={KeyRound} />
            {t('security.passkey_use')}
          </button>
          {errors?.credential && <ErrorText>{errors.credential}</ErrorText>}
        </PasskeyForm>
      )}
      <Form action={action} fullPage errors={errors} returnTo={returnTo}>
        <TextField
          name="code"
          label={t('security.code')}
          help={t('security.code_help')}
          required
          mono
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={!passkey}
        />
        <button type="submit" className={passkey ? 'btn' : 'btn btn-primary'}>
          {t('security.continue')}
        </button>
      </Form>
    </>
  )
}
