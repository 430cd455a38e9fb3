/** Input of several names as chips with suggestions. The form sends a comma-separated list; without JavaScript the list is a textarea. */
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { RemovableChip } from './chip.tsx'
import { Field, type FieldProps } from './field.tsx'
import { usePageContext } from './page-context.tsx'

type ChangeNames = (names: string[]) => void

interface TagInputProps extends FieldProps {
  label: string
  /** Names, separated by commas. */
  value: string
  placeholder: string
  /** Names to suggest, from the current values of the form. */
  suggestionsFor: (form: HTMLFormElement | null | undefined) => string[]
  /** A note inside the chip of a name. */
  markOf?: (name: string) => ReactNode
  /** Called with every new list. */
  onNames?: (names: string[]) => void
  /** Buttons below the field that change the list. */
  actions?: (chosen: string[], change: ChangeNames) => ReactNode
}

const SUGGESTED_MAX = 8

/** Names have no blanks or commas, including the full-width comma. */
const separators = /[\s,，]+/
const namesIn = (text: string) => text.split(separators).filter(Boolean)

export function TagInput({ value, placeholder, suggestionsFor, markOf, onNames, actions, ...field }: TagInputProps) {
  const { t } = usePageContext()
  const list = useRef<HTMLTextAreaElement>(null)
  const [chosen, setChosen] = useState(() => [...new Set(namesIn(value))])
  const [repeated, setRepeated] = useState<string[]>([])

  function change(names: string[]) {
    const distinct = [...new Set(names)]
    setChosen(distinct)
    onNames?.(distinct)
    setRepeated([])
    // Notifies the form: React changes the value without an input event.
    list.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }

  function add(text: string) {
    const all = [...chosen, ...namesIn(text)]
    change(all)
    setRepeated([...new Set(all.filter((name, at) => all.indexOf(name) < at))])
  }

  const without = (name: string) => change(chosen.filter(other => other !== name))
  const suggest = (typed: string) =>
    suggestionsFor(list.current?.form)
      .filter(name => name.toLowerCase().includes(typed.toLowerCase()) && !chosen.includes(name))
      .slice(0, SUGGESTED_MAX)

  return (
    <div className="tag-input">
      <Field {...field} after={actions?.(chosen, change)}>
        {({ name, value: _, ...attributes }) => (
          <div className="relative">
            <div className={attributes['aria-invalid'] ? 'input input-error' : 'input'}>
              {chosen.length > 0 && (
                <span>
                  {chosen.map(name => (
                    <RemovableChip
                      key={name}
                      name={name}
                      mark={markOf?.(name)}
                      remove={t('field.remove', { name })}
                      onRemove={() => without(name)}
                    />
                  ))}
                </span>
              )}
              <Combobox
                {...{ ...attributes, placeholder, suggest, label: field.label }}
                onAdd={add}
                onBackspace={() => change(chosen.slice(0, -1))}
              />
            </div>
            <textarea
              ref={list}
              className="textarea mono"
              name={name}
              aria-label={field.label}
              rows={3}
              value={chosen.join(',')}
              onChange={({ target }) => change(namesIn(target.value))}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
        )}
      </Field>
      <p className="help m-0" role="status">
        {repeated.length > 0 && t('field.names_repeated', { names: repeated.join(', ') })}
      </p>
    </div>
  )
}

interface ComboboxProps {
  id: string
  label: string
  placeholder: string
  suggest: (typed: string) => string[]
  onAdd: (text: string) => void
  onBackspace: () => void
}

/** A separator, Enter or blur adds the name; arrow keys choose a suggestion. */
function Combobox({ label, suggest, onAdd, onBackspace, ...attributes }: ComboboxProps) {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(-1)
  /** The footer of a drawer would cut off suggestions below a field in the lower half of the window. */
  const [isLow, setLow] = useState(false)
  const list = useId()
  const suggested = typed ? suggest(typed) : []

  function type(text: string) {
    setTyped(text)
    setActive(-1)
  }

  function take(text: string) {
    type('')
    onAdd(text)
  }

  /** Adds the names before the last separator and keeps the rest in the field. */
  function onChange(text: string) {
    const unfinished = text.slice(text.search(/[^\s,，]*$/))
    if (unfinished === text) return type(text)
    onAdd(text.slice(0, text.length - unfinished.length))
    type(unfinished)
  }

  const step = (by: number) => setActive(Math.min(Math.max(active + by, -1), suggested.length - 1))

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Backspace' && !typed) return onBackspace()
    if (!typed) return
    // Ctrl Enter submits the form: the typed name has to be in the list first.
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return flushSync(() => take(typed))
    if (event.key === 'Enter') take(suggested[active] ?? typed)
    else if (event.key === 'Escape') type('')
    else if (event.key === 'ArrowDown') step(1)
    else if (event.key === 'ArrowUp') step(-1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <>
      <input
        {...attributes}
        role="combobox"
        aria-expanded={suggested.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${list}-${active}` : undefined}
        value={typed}
        onChange={({ target }) => {
          setLow(target.getBoundingClientRect().bottom > innerHeight / 2)
          onChange(target.value)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => typed && take(typed)}
        autoComplete="off"
        spellCheck={false}
      />
      <Suggestions {...{ label, active }} opensUp={isLow} id={list} names={suggested} onPick={take} />
    </>
  )
}

interface SuggestionsProps {
  id: string
  label: string
  names: string[]
  active: number
  opensUp: boolean
  onPick: (name: string) => void
}

const Suggestions = ({ id, label, names, active, opensUp, onPick }: SuggestionsProps) => (
  <div
    id={id}
    role="listbox"
    aria-label={label}
    className={`popover absolute inset-x-0 z-10 ${opensUp ? 'bottom-full mb-1' : 'top-full mt-1'}`}
    hidden={!names.length}
  >
    {names.map((name, index) => (
      // The field keeps the focus and handles the keys.
      <div
        key={name}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === active}
        className="mono cursor-pointer rounded-field px-2.5 leading-8 hover:bg-(--hover) aria-selected:bg-(--tint-primary)"
        onPointerDown={event => {
          event.preventDefault()
          onPick(name)
        }}
      >
        {name}
      </div>
    ))}
  </div>
)
