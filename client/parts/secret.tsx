/** Fields whose text is not for every eye. */
import Eye from 'lucide-react/icons/eye'
import LockKeyhole from 'lucide-react/icons/lock-keyhole'
import type { ReactNode } from 'react'
import { Field, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'
import { useReader } from './reader.tsx'

/** A password to type; the eye shows it. */
export function PasswordField({ name, label, help, error, id, className, autoComplete, aside, required, autoFocus }: FieldProps & { autoComplete: 'current-password' | 'new-password'; aside?: ReactNode; required?: boolean; autoFocus?: boolean }) {
  const { t } = useReader()
  const head = aside ? <span className="flex"><span className="flex-1">{label}</span></span> : label
  return (
    <div className={aside ? 'relative' : undefined}>
      {aside && <span className="absolute right-0 top-0 help">{aside}</span>}
      <Field {...{ name, label: head, help, error, id, className }}>
        {({ value: _, ...ties }) => (
          <span className={ties['aria-invalid'] ? 'input input-error' : 'input'}>
            <input type="password" {...ties} autoComplete={autoComplete} required={required} autoFocus={autoFocus} />
            <button type="button" className="iconbtn !min-w-6 !h-6" aria-pressed="false" aria-label={t('part.show_password')} data-reveal={ties.id}>
              <Icon of={Eye} />
            </button>
          </span>
        )}
      </Field>
    </div>
  )
}

/** A stored secret: that it is set is all one sees; a new one replaces it, an empty one changes nothing. */
export function SecretField({ isSet, ...field }: FieldProps & { isSet: boolean }) {
  const { t } = useReader()
  return (
    <Field {...field} help={field.help ?? t('part.secret_help')}>
      {({ value, ...ties }) => {
        const input = <input {...ties} className="input mono" autoComplete="off" spellCheck={false} defaultValue={value} placeholder={isSet ? t('part.secret_paste') : undefined} />
        if (!isSet) return input
        return (
          <details className="secret-set">
            <summary className="secret">
              <Icon of={LockKeyhole} small className="ink-3" />
              <span className="grow ink-2">{t('part.secret_set')}</span>
              <span className="btn btn-ghost btn-sm closed">{t('part.secret_replace')}</span>
              <span className="btn btn-ghost btn-sm opened">{t('part.secret_keep')}</span>
            </summary>
            {input}
          </details>
        )
      }}
    </Field>
  )
}
