/** Password and secret fields. */
import Eye from 'lucide/dist/esm/icons/eye.mjs'
import LockKeyhole from 'lucide/dist/esm/icons/lock-keyhole.mjs'
import type { ComponentProps, ReactNode } from 'react'
import { Field, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'
import { usePageContext } from './page-context.tsx'

interface PasswordFieldProps
  extends FieldProps,
    Pick<ComponentProps<'input'>, 'required' | 'minLength' | 'maxLength' | 'autoFocus'> {
  autoComplete: 'current-password' | 'new-password' | 'off'
  /** Shown at the right of the label. */
  aside?: ReactNode
}

/** Password field with a button that shows the text. */
export function PasswordField({ name, label, help, error, id, className, aside, ...input }: PasswordFieldProps) {
  const { t } = usePageContext()
  return (
    <Field {...{ name, label, help, error, id, className, aside }}>
      {({ value: _, ...attributes }) => (
        <span className={attributes['aria-invalid'] ? 'input input-error' : 'input'}>
          <input type="password" {...attributes} {...input} />
          <button
            type="button"
            className="icon-button sm:!min-w-6 sm:!h-6"
            aria-pressed="false"
            aria-label={t('field.show_password')}
            data-reveal={attributes.id}
          >
            <Icon of={Eye} />
          </button>
        </span>
      )}
    </Field>
  )
}

interface SecretFieldProps extends FieldProps {
  isSet: boolean
  masked?: string
  value?: string
  placeholder?: string
  /** Number of lines of a multi-line secret. */
  rows?: number
}

/** Stored secret: shows only that it is set. A typed value replaces it, an empty one keeps it. */
export function SecretField({ isSet, masked, value: typed, placeholder, rows, ...field }: SecretFieldProps) {
  const { t } = usePageContext()
  return (
    <Field {...field} help={field.help ?? t('field.secret_help')}>
      {({ value, ...attributes }) => {
        const control = {
          ...attributes,
          autoComplete: 'off',
          spellCheck: false,
          defaultValue: typed ?? value,
          placeholder: isSet ? t('field.secret_paste') : placeholder,
        }
        const input = rows ? (
          <textarea {...control} rows={rows} className="textarea mono" />
        ) : (
          <input {...control} className="input mono" />
        )
        if (!isSet) return input
        return (
          <details className="secret-set">
            <summary className="secret">
              <Icon of={LockKeyhole} small className="ink-3" />
              <span className="grow ink-2">
                {t('field.secret_set')} {masked && <span className="mono ml-1">{masked}</span>}
              </span>
              <span className="btn btn-ghost btn-sm closed">{t('field.secret_replace')}</span>
              <span className="btn btn-ghost btn-sm opened">{t('field.secret_keep')}</span>
            </summary>
            {input}
          </details>
        )
      }}
    </Field>
  )
}
