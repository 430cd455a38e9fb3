/** Several names in one field, as chips. What the form sends is a plain list, and without JavaScript that is the field. */
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { RemovableChip } from './chip.tsx'
import { Field, type FieldProps } from './field.tsx'
import { usePageContext } from './page-context.tsx'

type ChangeNames = (names: string[]) => void

interface TagInputProps extends FieldProps {
  label: string
  /** A comma list. */
  value: string
  placeholder: string
  /** What may be meant by what is typed, as the form stands. */
  known: (form: HTMLFormElement | null | undefined) => string[]
  /** Buttons below that change the whole list. */
  quick?: (chosen: string[], change: ChangeNames) => ReactNode
}

const SUGGESTED_MAX = 8

/** No name has a blank or a comma in it, whichever kind of comma was typed. */
const separators = /[\s,，]+/
const namesIn = (text: string) => text.split(separators).filter(Boolean)

export function TagInput({ value, placeholder, known, quick, ...frame }: TagInputProps) {
  const { t } = usePageContext()
  const list = useRef<HTMLTextAreaElement>(null)
  const [chosen, setChosen] = useState(() => [...new Set(namesIn(value))])
  const [repeated, setRepeated] = useState<string[]>([])

  function change(names: string[]) {
    setChosen([...new Set(names)])
    setRepeated([])
    // The form is told of a change that no key of its fields has made.
    list.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }

  function add(text: string) {
    const all = [...chosen, ...namesIn(text)]
    change(all)
    setRepeated([...new Set(all.filter((name, at) => all.indexOf(name) < at))])
  }

  const without = (name: string) => change(chosen.filter(other => other !== name))
  const suggest = (typed: string) =>
    known(list.current?.form)
      .filter(name => name.toLowerCase().includes(typed.toLowerCase()) && !chosen.includes(name))
      .slice(0, SUGGESTED_MAX)

  return (
    <div className="tag-input">
      <Field {...frame} after={quick?.(chosen, change)}>
        {({ name, value: _, ...ties }) => (
          <div className="relative">
            <div className={ties['aria-invalid'] ? 'input input-error' : 'input'}>
              {chosen.length > 0 && (
                <span>
                  {chosen.map(each => (
                    <RemovableChip
                      key={each}
                      name={each}
                      remove={t('part.remove', { name: each })}
                      onRemove={() => without(each)}
                    />
                  ))}
                </span>
              )}
              <Combobox
                {...{ ...ties, placeholder, suggest, label: frame.label }}
                onAdd={add}
                onBackspace={() => change(chosen.slice(0, -1))}
              />
            </div>
            <textarea
              ref={list}
              className="textarea mono"
              name={name}
              aria-label={frame.label}
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
        {repeated.length > 0 && t('part.names_repeated', { names: repeated.join(', ') })}
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

/** Where a name is typed: a separator, Enter or leaving it takes it; the arrows walk what is suggested. */
function Combobox({ label, suggest, onAdd, onBackspace, ...ties }: ComboboxProps) {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(-1)
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

  /** What is before the last separator is said; what is behind it is still being typed. */
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
    // The form is about to be sent: what stands here goes with it.
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
        {...ties}
        role="combobox"
        aria-expanded={suggested.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${list}-${active}` : undefined}
        value={typed}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => typed && take(typed)}
        autoComplete="off"
        spellCheck={false}
      />
      <Suggestions {...{ label, active }} id={list} names={suggested} onPick={take} />
    </>
  )
}

interface SuggestionsProps {
  id: string
  label: string
  names: string[]
  active: number
  onPick: (name: string) => void
}

const Suggestions = ({ id, label, names, active, onPick }: SuggestionsProps) => (
  <div
    id={id}
    role="listbox"
    aria-label={label}
    className="popover absolute inset-x-0 top-full z-10 mt-1"
    hidden={!names.length}
  >
    {names.map((name, index) => (
      // The field keeps the focus and hears the keys.
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
