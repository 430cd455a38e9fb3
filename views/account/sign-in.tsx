/** Sign-in page. */
import ClockAlert from 'lucide/dist/esm/icons/clock-alert.mjs'
import KeyRound from 'lucide/dist/esm/icons/key-round.mjs'
import { ErrorText, TextField } from '../../client/components/field.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PasswordField } from '../../client/components/secret.tsx'
import type { Visit } from '../../src/contracts/visit.ts'
import type { Translate } from '../../src/locales/index.ts'
import { HumanCheck } from '../human-check/human-check.tsx'
import { AuthFoot, AuthLayout } from '../layout/auth-layout.tsx'
import { PasskeyForm } from './passkey-form.tsx'

interface SignInProps {
  visit: Visit
  /** Set after an expired session. */
  expired: boolean
  returnTo: string
  values?: Record<string, unknown>
  errors?: Record<string, string>
  /** A link by mail lets this browser in. */
  offersLink?: boolean
  /** Whether the site takes passwords. */
  byPassword?: boolean
}

export function SignInPage({ visit, expired, returnTo, values, errors, offersLink, byPassword }: SignInProps) {
  const { t } = usePageContext()
  const { status } = visit
  return (
    <AuthLayout visit={visit} title={t('login.title')} foot={<AuthFoot visit={visit} />}>
      {expired && (
        <p className="note warning" role="status">
          <Icon of={ClockAlert} />
          <span>{t('login.expired')}</span>
        </p>
      )}
      {byPassword ? (
        <PasswordForm {...{ visit, returnTo, values, errors, offersLink }} />
      ) : (
        <p className="note">{t('account.password_login_disabled')}</p>
      )}
      <Alternatives {...{ visit, returnTo, errors, byPassword }} />
      {status.registration_open && (
        <p className="mt-6 mb-0 ink-2">
          {t('login.new_here')} <a href="/register">{t('login.create')}</a>
        </p>
      )}
    </AuthLayout>
  )
}

type PasswordFormProps = Pick<SignInProps, 'visit' | 'returnTo' | 'values' | 'errors' | 'offersLink'>

function PasswordForm({ visit, returnTo, values, errors, offersLink }: PasswordFormProps) {
  const { t } = usePageContext()
  // As after a registration.
  const isNamed = Boolean(values?.username)
  return (
    <Form action="/login" fullPage values={values} errors={errors} returnTo={returnTo}>
      <TextField
        name="username"
        label={t('login.username')}
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={!isNamed}
      />
      <PasswordField
        name="password"
        label={t('login.password')}
        autoComplete="current-password"
        required
        autoFocus={isNamed}
        aside={
          <a className="text" href="/reset">
            {t('login.forgot')}
          </a>
        }
      />
      <HumanCheck visit={visit} />
      <button type="submit" className="btn btn-primary">
        {t('login.submit')}
      </button>
      {offersLink && (
        <div>
          <p className="help m-0 mb-3">{t('login.link_help')}</p>
          <button type="submit" name="action" value="link" className="btn">
            {t('login.link')}
          </button>
        </div>
      )}
    </Form>
  )
}

type AlternativesProps = Pick<SignInProps, 'visit' | 'returnTo' | 'errors' | 'byPassword'>

/** A passkey, and the login providers. */
function Alternatives({ visit, returnTo, errors, byPassword }: AlternativesProps) {
  const { t } = usePageContext()
  const hasProviders = providersOf(visit, t).length > 0
  return (
    <>
      {byPassword && <div className={hasProviders ? 'or-divider' : 'or-divider script-only'}>{t('login.or')}</div>}
      <PasskeyForm
        ceremony="get"
        action="/login/passkey"
        challenge="/api/user/login/passkey/challenge"
        returnTo={returnTo}
      >
        <button type="submit" className="btn !font-normal">
          <Icon of={KeyRound} />
          {t('security.passkey_sign_in')}
        </button>
        {errors?.credential && <ErrorText>{errors.credential}</ErrorText>}
      </PasskeyForm>
      <ProviderLinks visit={visit} returnTo={returnTo} />
    </>
  )
}

/** Below a form: the login providers that the administrator has enabled, if there are any. */
export function OAuthLinks({ visit, returnTo }: { visit: Visit; returnTo: string }) {
  const { t } = usePageContext()
  if (!providersOf(visit, t).length) return null
  return (
    <>
      <div className="or-divider">{t('login.or')}</div>
      <ProviderLinks visit={visit} returnTo={returnTo} />
    </>
  )
}

function ProviderLinks({ visit, returnTo }: { visit: Visit; returnTo: string }) {
  const { t } = usePageContext()
  return (
    <div className="alternatives">
      {providersOf(visit, t).map(({ href, label }) => (
        <a key={href} className="btn !font-normal" href={`${href}?returnTo=${encodeURIComponent(returnTo)}`}>
          {label}
        </a>
      ))}
    </div>
  )
}

const providersOf = ({ status }: Visit, t: Translate) =>
  [
    status.github_oauth && { href: '/oauth/github/start', label: 'GitHub' },
    status.linuxdo_oauth && { href: '/oauth/linuxdo/start', label: 'Linux DO' },
    status.wechat_login && { href: '/oauth/wechat/start', label: t('login.wechat') },
    status.telegram_oauth && { href: '/oauth/telegram/start', label: t('login.telegram') },
    status.oidc_enabled && { href: '/oauth/oidc/start', label: t('login.sso') },
  ].filter(provider => provider !== false)
