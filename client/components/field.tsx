/** Text, textarea and select fields with label, help and error. Values and errors come from the surrounding Form. */
import CircleAlert from 'lucide/dist/esm/icons/circle-alert.mjs'
import type { ComponentProps, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { useFieldState } from './link.tsx'
import { usePageContext } from './page-context.tsx'

export interface FieldProps {
  name: string
  label: ReactNode
  help?: ReactNode
  /** Overrides the error of the form. */
  error?: string
  optional?: boolean
  id?: string
  className?: string
}

interface ControlProps {
  id: string
  name: string
  value: string | undefined
  'aria-invalid'?: true
  'aria-describedby'?: string
  /** Focuses a field with an error of the form; an island gets its error as a prop and does not move the focus. */
  autoFocus?: true
}

/** Frame of a field; the attributes passed to the control tie the control to label, help and error.
 * `aside` is shown at the right of the label, `after` below the control. */
export function Field({
  name,
  label,
  help,
  error,
  optional,
  id = `field-${name}`,
  className,
  children,
  aside,
  after,
}: FieldProps & { children: (control: ControlProps) => ReactNode; aside?: ReactNode; after?: ReactNode }) {
  const { t } = usePageContext()
  const filling = useFieldState(name)
  const wrong = error ?? filling.error
  const describedby = [wrong && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div className={className ? `field ${className}` : 'field'}>
      <span className="flex gap-2">
        <label htmlFor={id} className="flex-1">
          {label} {optional && <span className="optional-mark">{t('field.optional')}</span>}
        </label>
        {aside && <span className="help">{aside}</span>}
      </span>
      {children({
        id,
        name,
        value: filling.value,
        'aria-invalid': wrong ? true : undefined,
        'aria-describedby': describedby || undefined,
        autoFocus: filling.error ? true : undefined,
      })}
      {wrong && <ErrorText id={`${id}-error`}>{wrong}</ErrorText>}
      {after}
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}

export const ErrorText = ({ id, children }: { id?: string; children: ReactNode }) => (
  <p className="error-text" id={id}>
    <Icon of={CircleAlert} />
    <span>{children}</span>
  </p>
)

type NativeProps<Tag extends 'input' | 'select' | 'textarea'> = Omit<
  ComponentProps<Tag>,
  keyof FieldProps | 'children' | 'value'
> & { value?: string | number }

const controlClass = (kind: string, control: ControlProps, more = '') =>
  `${kind}${control['aria-invalid'] ? ` ${kind}-error` : ''}${more && ` ${more}`}`

/** Props of a control: those of its field, and the rest for the element itself. */
function split<Props extends FieldProps>({ name, label, help, error, optional, id, className, ...rest }: Props) {
  return { field: { name, label, help, error, optional, id, className }, rest }
}

/** `unit` is shown inside at the right, `number` aligns right, `presets` are buttons that fill the field. */
export function TextField({
  unit,
  number,
  mono,
  presets,
  value,
  ...props
}: FieldProps & NativeProps<'input'> & { unit?: ReactNode; number?: boolean; mono?: boolean; presets?: Preset[] }) {
  const classes = [number && 'number', mono && 'mono'].filter(Boolean).join(' ')
  const { field, rest } = split(props)
  const filling = useFieldState(field.name)
  const start = String(value ?? filling.value ?? '')
  return (
    <Field
      {...field}
      after={presets && <Presets of={field.id ?? `field-${field.name}`} presets={presets} value={start} />}
    >
      {control => {
        const { value: initial, ...attributes } = control
        const input = { ...attributes, defaultValue: value ?? initial, ...rest }
        if (!unit) return <input {...input} className={controlClass('input', control, classes)} />
        return (
          <span className={controlClass('input', control)}>
            <input {...input} className={classes || undefined} />
            <span className="suffix">{unit}</span>
          </span>
        )
      }}
    </Field>
  )
}

export function AreaField({ mono, value, ...props }: FieldProps & NativeProps<'textarea'> & { mono?: boolean }) {
  const { field, rest } = split(props)
  return (
    <Field {...field}>
      {control => {
        const { value: initial, ...attributes } = control
        return (
          <textarea
            rows={3}
            {...attributes}
            defaultValue={value ?? initial}
            {...rest}
            className={controlClass('textarea', control, mono ? 'mono' : '')}
          />
        )
      }}
    </Field>
  )
}

export interface SelectOption {
  value: string | number
  label: string
  disabled?: boolean
}

export function SelectField({
  options,
  value,
  ...props
}: FieldProps & NativeProps<'select'> & { options: SelectOption[] }) {
  const { field, rest } = split(props)
  return (
    <Field {...field}>
      {control => {
        const { value: initial, ...attributes } = control
        return (
          <select {...attributes} defaultValue={value ?? initial} {...rest} className={controlClass('select', control)}>
            {options.map(option => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
        )
      }}
    </Field>
  )
}

export interface Preset {
  value: string
  label: string
  /** Adds the value to that of the field. */
  adds?: boolean
}

/** Buttons that fill the field with this id, or add to it; the one with its value is pressed. */
function Presets({ of, presets, value: start }: { of: string; presets: Preset[]; value?: string }) {
  return (
    <div className="presets" role="group" data-presets={of}>
      {presets.map(({ value, label, adds }) => {
        const does = adds ? { 'data-add': value } : { 'data-fill': value, 'aria-pressed': value === start }
        return (
          <button key={value} type="button" {...does}>
            {label}
          </button>
        )
      })}
    </div>
  )
}
