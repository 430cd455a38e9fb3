/** Fields that prove an e-mail address: the address, the button that mails a code, and the code. */
import { Countdown } from '../../client/components/countdown.tsx'
import { Field, TextField } from '../../client/components/field.tsx'
import { DefaultSubmit } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { EMAIL_MAX } from '../../src/contracts/mail.ts'
import { CODE_LENGTH, MAIL_SECRET_MINUTES } from '../../src/contracts/registration.ts'
import { Sent } from '../layout/auth-layout.tsx'

/** Sends the form for its fields alone: typed passwords stay. The response replaces the narrow page. */
const inPlace = { 'hx-target': '.auth-page', 'hx-swap': 'outerMorph', 'hx-sync': 'drop' }

interface EmailFieldsProps {
  /** POST path of the form. */
  action: string
  /** The address that a code was mailed to. */
  email?: string
  /** Name of the field for the code. */
  code: 'code' | 'verification_code'
  /** A code was just sent. */
  sent?: boolean
  /** Seconds until the next code. */
  wait?: number
  autoFocus?: boolean
}

export function EmailFields({ action, email = '', code, sent, wait, autoFocus }: EmailFieldsProps) {
  const { t } = usePageContext()
  return (
    <>
      <DefaultSubmit />
      <Field name="email" label={t('registration.email')}>
        {({ value, ...control }) => (
          <span className="flex gap-2">
            <input
              autoFocus={autoFocus}
              {...control}
              type="email"
              className={`input flex-1 min-w-0${control['aria-invalid'] ? ' input-error' : ''}`}
              defaultValue={value}
              required
              maxLength={EMAIL_MAX}
              autoComplete="email"
            />
            <Countdown
              name="action"
              value="code"
              hx-post={action}
              {...inPlace}
              className="btn !font-normal tabular-nums"
              seconds={wait}
              waiting={t('registration.resend', { seconds: '{seconds}' })}
            >
              {t('registration.send_code')}
            </Countdown>
          </span>
        )}
      </Field>
      {sent && <Sent>{t('registration.code_sent', { email, minutes: MAIL_SECRET_MINUTES })}</Sent>}
      <TextField
        name={code}
        label={t('registration.code')}
        help={t('registration.code_help')}
        required
        maxLength={CODE_LENGTH}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus={sent}
      />
    </>
  )
}
