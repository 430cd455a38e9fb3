/** Text field that suggests names from the server, ten at most; without JavaScript a plain field. */
import ChevronDown from 'lucide/dist/esm/icons/chevron-down.mjs'
import { type SuggestedNoun, suggestionsAt } from '../../src/contracts/suggestion.ts'
import { Field, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'
import { usePageContext } from './page-context.tsx'

interface PickerProps {
  /** What the field names. */
  of: SuggestedNoun
  name: string
  value?: string
  placeholder: string
  id: string
  /** Takes nothing but a suggestion: of channels, whose value is their id. */
  strict?: boolean
}

/** Inside the sentence, with the placeholder `any`. */
export function PickName({ label, any, ...picker }: Omit<PickerProps, 'placeholder'> & { label: string; any: string }) {
  return (
    <span className={`picker ${picker.value ? 'set' : 'any'}`}>
      <Combobox {...picker} placeholder={any} label={label} className={picker.strict ? undefined : 'typed'} />
      <Icon of={ChevronDown} small />
    </span>
  )
}

/** As a field of a form or a sheet. */
export function NameField({
  of,
  strict,
  placeholder,
  value,
  ...field
}: FieldProps & Omit<PickerProps, 'id'> & { id?: string }) {
  return (
    <Field {...field}>
      {({ value: initial, name, id, ...attributes }) => (
        <Combobox
          {...attributes}
          {...{ of, strict, placeholder, name, id }}
          value={value ?? initial}
          className={attributes['aria-invalid'] ? 'input input-error' : 'input'}
        />
      )}
    </Field>
  )
}

interface ComboboxProps extends PickerProps {
  label?: string
  className?: string
  'aria-invalid'?: true
  'aria-describedby'?: string
  autoFocus?: true
}

function Combobox({ of, strict, label, value = '', id, ...input }: ComboboxProps) {
  const { t } = usePageContext()
  return (
    <tollgate-picker from={suggestionsAt(of)} strict={strict ? '' : undefined} none={t('picker.none')}>
      <input
        {...input}
        id={id}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded="false"
        aria-controls={`${id}-list`}
        defaultValue={value}
        autoComplete="off"
        spellCheck={false}
      />
      <div id={`${id}-list`} role="listbox" aria-label={label ?? t('picker.suggestions')} hx-morph-skip="" hidden />
    </tollgate-picker>
  )
}
