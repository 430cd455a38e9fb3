/** Fields: label above, help below, the error below in red and tied to the control. Values and errors come from the Form. */
import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ComponentProps, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { useFieldState } from './link.tsx'
import { usePageContext } from './page-context.tsx'

export interface FieldProps {
  name: string
  label: ReactNode
  help?: ReactNode
  /** When it is not the Form that knows. */
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
  /** The first wrong field is where a person goes on; an island, which wakes later, leaves them where they are. */
  autoFocus?: true
}

/** The frame of a field. The control is drawn with what ties it to its label, help and error.
 * `aside` stands at the right of the label, `after` below the control. */
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
}: FieldProps & { children: (tied: ControlProps) => ReactNode; aside?: ReactNode; after?: ReactNode }) {
  const { t } = usePageContext()
  const filling = useFieldState(name)
  const wrong = error ?? filling.error
  const describedby = [wrong && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div className={className ? `field ${className}` : 'field'}>
      <span className="flex gap-2">
        <label htmlFor={id} className="flex-1">
          {label} {optional && <span className="optional-mark">{t('part.optional')}</span>}
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

const controlClass = (kind: string, tied: ControlProps, more = '') =>
  `${kind}${tied['aria-invalid'] ? ` ${kind}-error` : ''}${more && ` ${more}`}`

/** One line. `unit` stands inside at the right, `number` aligns digits, `presets` fill it with a click. */
export function TextField({
  name,
  label,
  help,
  error,
  optional,
  id,
  className,
  unit,
  number,
  mono,
  presets,
  value,
  ...rest
}: FieldProps & NativeProps<'input'> & { unit?: ReactNode; number?: boolean; mono?: boolean; presets?: Preset[] }) {
  const manner = [number && 'number', mono && 'mono'].filter(Boolean).join(' ')
  const filling = useFieldState(name)
  const start = String(value ?? filling.value ?? '')
  return (
    <Field
      {...{ name, label, help, error, optional, id, className }}
      after={presets && <Presets of={id ?? `field-${name}`} presets={presets} value={start} />}
    >
      {tied => {
        const { value: filled, ...ties } = tied
        const input = { ...ties, defaultValue: value ?? filled, ...rest }
        if (!unit) return <input {...input} className={controlClass('input', tied, manner)} />
        return (
          <span className={controlClass('input', tied)}>
            <input {...input} className={manner || undefined} />
            <span className="suffix">{unit}</span>
          </span>
        )
      }}
    </Field>
  )
}

/** Many lines. */
export function AreaField({
  name,
  label,
  help,
  error,
  optional,
  id,
  className,
  mono,
  value,
  ...rest
}: FieldProps & NativeProps<'textarea'> & { mono?: boolean }) {
  return (
    <Field {...{ name, label, help, error, optional, id, className }}>
      {tied => {
        const { value: filled, ...ties } = tied
        return (
          <textarea
            rows={3}
            {...ties}
            defaultValue={value ?? filled}
            {...rest}
            className={controlClass('textarea', tied, mono ? 'mono' : '')}
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
  name,
  label,
  help,
  error,
  optional,
  id,
  className,
  options,
  value,
  ...rest
}: FieldProps & NativeProps<'select'> & { options: SelectOption[] }) {
  return (
    <Field {...{ name, label, help, error, optional, id, className }}>
      {tied => {
        const { value: filled, ...ties } = tied
        return (
          <select {...ties} defaultValue={value ?? filled} {...rest} className={controlClass('select', tied)}>
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
}

/** Small buttons that fill the field of this id; the one that holds its value is pressed. */
function Presets({ of, presets, value: start }: { of: string; presets: Preset[]; value?: string }) {
  return (
    <div className="presets" role="group" data-presets={of}>
      {presets.map(({ value, label }) => (
        <button key={value} type="button" data-fill={value} aria-pressed={value === start}>
          {label}
        </button>
      ))}
    </div>
  )
}
