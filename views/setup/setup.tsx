/** Set-up page of a new installation. */
import Database from 'lucide/dist/esm/icons/database.mjs'
import { ChoiceField } from '../../client/components/choice.tsx'
import { TextField } from '../../client/components/field.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PasswordField } from '../../client/components/secret.tsx'
import { USERNAME_MAX } from '../../src/contracts/account.ts'
import { SETUP_IMPORT_PATH } from '../../src/contracts/moving-in.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import { NewPasswordField } from '../account/new-password-field.tsx'
import { AuthLayout } from '../layout/auth-layout.tsx'
import { OtherLanguages } from '../layout/preferences.tsx'

interface SetupProps {
  visit: Visit
  /** A root account exists: the form asks for the mode only. */
  hasRoot: boolean
  /** The database of another gateway may be uploaded. */
  mayImport: boolean
  /** The installation has a `SETUP_TOKEN`. */
  needsToken: boolean
  database: string
  values?: Record<string, unknown>
  errors?: Record<string, string>
}

/** Values of the form field `mode`. */
const modes = ['external', 'self', 'demo'] as const

export function Setup({ visit, hasRoot, mayImport, needsToken, database, values, errors }: SetupProps) {
  const { t } = usePageContext()
  const foot = (
    <>
      {t('setup.quick')} · <OtherLanguages visit={visit} />
    </>
  )
  return (
    <AuthLayout
      visit={visit}
      wide
      title={t('setup.heading')}
      lead={t(hasRoot ? 'setup.lead_with_root' : 'setup.lead')}
      foot={foot}
    >
      <Form action="/setup" fullPage values={values} errors={errors}>
        {needsToken && (
          <PasswordField
            name="setup_token"
            label={t('setup.token')}
            help={t('setup.token_help')}
            autoComplete="off"
            required
          />
        )}
        {!hasRoot && <RootAccount />}
        <ChoiceField
          name="mode"
          label={t('setup.mode')}
          choices={modes.map(mode => ({
            value: mode,
            label: t(`setup.mode_${mode}`),
            help: t(`setup.mode_${mode}_help`),
          }))}
        />
        {database === 'sqlite' && (
          <p className="note m-0">
            <Icon of={Database} />
            <span>{t('setup.sqlite')}</span>
          </p>
        )}
        <button type="submit" className="btn btn-primary">
          {t('setup.submit')}
        </button>
      </Form>
      {mayImport && (
        <p className="text-center mt-4">
          <a href={SETUP_IMPORT_PATH}>{t('setup.import_link')}</a>
        </p>
      )}
    </AuthLayout>
  )
}

function RootAccount() {
  const { t } = usePageContext()
  return (
    <>
      <TextField
        name="username"
        label={t('setup.username')}
        help={t('setup.username_help')}
        required
        maxLength={USERNAME_MAX}
        autoComplete="username"
        autoFocus
      />
      <div className="grid sm:grid-cols-2 gap-4">
        <NewPasswordField label={t('setup.password')} help={t('setup.password_help')} />
        <NewPasswordField name="confirmPassword" label={t('setup.password_again')} />
      </div>
    </>
  )
}
