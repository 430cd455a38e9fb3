/** Dialogs and drawers over the security page. */

import { Copy } from '../../client/components/copy.tsx'
import { Confirm, Dialog, Drawer } from '../../client/components/drawer.tsx'
import { ErrorText, TextField } from '../../client/components/field.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PASSKEY_NAME_MAX, type PasskeyView } from '../../src/contracts/security.ts'
import { PasskeyForm } from '../account/passkey-form.tsx'
import { QrCode } from './qr-code.tsx'
import { securityAction, securityAt } from './view.ts'

type Errors = Record<string, string>

/** The secret as a QR code and in groups of four, and the field for the first code. */
export function SetUpApp({ secret, uri, errors }: { secret: string; uri: string; errors?: Errors }) {
  const { t } = usePageContext()
  const groups = secret.replace(/(.{4})(?=.)/g, '$1 ')
  return (
    <Drawer
      title={t('security.app_set_up_title')}
      close={securityAt()}
      action={securityAction('authenticator/confirm')}
      errors={errors}
      submit={t('security.app_turn_on')}
    >
      <div className="grid gap-4">
        <p className="m-0 ink-2">{t('security.app_scan')}</p>
        <QrCode text={uri} label={t('security.app_qr')} />
        <div>
          <p className="mt-0 mb-1 ink-2">{t('security.app_type')}</p>
          <span className="flex items-center gap-1">
            <code className="wrap-anywhere">{groups}</code>
            <Copy text={secret} />
          </span>
        </div>
        <TextField
          name="code"
          label={t('security.app_first_code')}
          required
          mono
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
        />
      </div>
    </Drawer>
  )
}

/** Codes that are shown once; the link to the file needs no script. */
export function RecoveryCodes({ codes, site }: { codes: string[]; site: string }) {
  const { t } = usePageContext()
  const text = `${codes.join('\n')}\n`
  return (
    <Dialog
      title={t('security.codes_title')}
      text={t('security.codes_text')}
      close={securityAt()}
      facts={
        <ol className="recovery-codes">
          {codes.map(code => (
            <li key={code} className="mono">
              {code}
            </li>
          ))}
        </ol>
      }
    >
      <Copy text={text}>{t('security.codes_copy')}</Copy>
      <a
        className="btn"
        href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        download={`${site}-recovery-codes.txt`}
      >
        {t('security.codes_download')}
      </a>
      <PageLink href={securityAt()} className="btn btn-primary" data-close autoFocus>
        {t('security.codes_done')}
      </PageLink>
    </Dialog>
  )
}

export function NewCodes() {
  const { t } = usePageContext()
  return (
    <Confirm
      title={t('security.codes_new_title')}
      text={t('security.codes_new_text')}
      close={securityAt()}
      action={securityAction('recovery-codes')}
      submit={t('security.codes_new')}
    />
  )
}

export function RemoveFactor({ passkey }: { passkey?: PasskeyView }) {
  const { t } = usePageContext()
  return (
    <Confirm
      title={passkey ? t('security.passkey_remove', { name: passkey.name }) : t('security.app_remove')}
      text={t(passkey ? 'security.passkey_remove_text' : 'security.app_remove_text')}
      close={securityAt()}
      action={securityAction(passkey ? `passkeys/${passkey.id}/remove` : `authenticator/remove`)}
      submit={t('security.remove')}
    />
  )
}

export function RenamePasskey({ passkey, errors }: { passkey: PasskeyView; errors?: Errors }) {
  const { t } = usePageContext()
  return (
    <Drawer
      title={t('security.passkey_rename_of', { name: passkey.name })}
      close={securityAt()}
      action={securityAction(`passkeys/${passkey.id}/rename`)}
      values={passkey}
      errors={errors}
      submit={t('ui.save')}
    >
      <NameField />
    </Drawer>
  )
}

const FORM = 'new-passkey'

/** @param name as typed, or a proposal */
export function AddPasskey({ name, errors }: { name: string; errors?: Errors }) {
  const { t } = usePageContext()
  return (
    <Dialog
      title={t('security.passkey_add')}
      text={t('security.passkey_add_text')}
      close={securityAt()}
      facts={
        <PasskeyForm
          id={FORM}
          ceremony="create"
          action={securityAction('passkeys')}
          challenge="/api/user/passkey-challenge"
          values={{ name }}
          errors={errors}
        >
          <NameField />
          {errors?.credential && <ErrorText>{errors.credential}</ErrorText>}
        </PasskeyForm>
      }
    >
      <PageLink href={securityAt()} className="btn btn-ghost" data-close>
        {t('ui.cancel')}
      </PageLink>
      <button type="submit" form={FORM} className="btn btn-primary">
        {t('security.passkey_add')}
      </button>
    </Dialog>
  )
}

function NameField() {
  const { t } = usePageContext()
  return (
    <TextField
      name="name"
      label={t('security.passkey_name')}
      help={t('security.passkey_name_help')}
      required
      maxLength={PASSKEY_NAME_MAX}
      autoFocus
    />
  )
}
