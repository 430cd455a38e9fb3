/** Switch of a setting that is on or off. */
import { ErrorText } from '../../client/components/field.tsx'
import { type FieldView, fieldId } from './view.ts'

export function Switch({ field: { key, label, help, value, error, locked } }: { field: FieldView }) {
  const id = fieldId(key)
  const describedby = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div className="switch-row">
      <label htmlFor={id}>{label}</label>
      {help && (
        <span className="help" id={`${id}-help`}>
          {help}
        </span>
      )}
      <input
        type="checkbox"
        className="toggle"
        id={id}
        name={key}
        value="true"
        defaultChecked={value === 'true'}
        disabled={locked}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedby || undefined}
        data-confirm={key === 'PasswordLoginEnabled' || undefined}
      />
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
    </div>
  )
}
