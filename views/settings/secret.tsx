/** Setting that is a secret: the page tells whether one is stored, a new one replaces it, a tick removes it. */
import LockKeyhole from 'lucide/dist/esm/icons/lock-keyhole.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { SecretField } from '../../client/components/secret.tsx'
import { type FieldView, fieldId } from './view.ts'

export function SecretSetting({ field }: { field: FieldView }) {
  const { t } = usePageContext()
  const { key, label, help, is_set = false, value, error, locked } = field
  if (locked) return <LockedSecret field={field} />
  return (
    <>
      <SecretField name={key} id={fieldId(key)} label={label} help={help} error={error} isSet={is_set} value={value} />
      {is_set && (
        <label className="help clear-secret">
          <input type="checkbox" className="checkbox" name={`clear_${key}`} value="true" />
          {t('settings.clear_secret')}
        </label>
      )}
    </>
  )
}

function LockedSecret({ field: { key, label, help, is_set } }: { field: FieldView }) {
  const { t } = usePageContext()
  return (
    <div className="field">
      <span className="label-text">{label}</span>
      <div className="secret" id={fieldId(key)}>
        <Icon of={LockKeyhole} small className="ink-3" />
        <span className="grow ink-2">{t(is_set ? 'field.secret_set' : 'settings.not_set')}</span>
      </div>
      {help && <p className="help">{help}</p>}
    </div>
  )
}
