/** The models that a token may call, as chips; without JavaScript a plain comma list. */
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useRef, useState, useSyncExternalStore } from 'react'
import { commaList } from '../../src/pure/wire.ts'
import { Chosen } from '../parts/chosen.tsx'
import { Field, TextField } from '../parts/field.tsx'
import { useReader } from '../parts/reader.tsx'
import { call } from '../query.ts'

const NAME = 'model_limits'
const SUGGESTED_MAX = 8

interface TokenModelsProps {
  /** A comma list. */
  value: string
  error?: string
}

export default function TokenModels(props: TokenModelsProps) {
  const { t } = useReader()
  const frame = { name: NAME, label: t('token.models'), help: t('token.models_help'), error: props.error }
  if (useIsLive()) return <Picker {...frame} start={commaList(props.value)} />
  return (
    <TextField
      {...frame}
      value={props.value}
      placeholder={t('token.models_hint')}
      autoComplete="off"
      spellCheck={false}
    />
  )
}

const never = () => () => {}

/** False on the server and while waking, so that both draw the same. */
const useIsLive = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

type Frame = Omit<Parameters<typeof Field>[0], 'children'>

function Picker({ start, ...frame }: Frame & { start: string[] }) {
  const { t } = useReader()
  const [chosen, setChosen] = useState(start)
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(-1)
  const list = useId()
  const carrier = useRef<HTMLInputElement>(null)
  const suggested = useSuggestions(typed, chosen)

  function change(models: string[]) {
    setChosen([...new Set(models)])
    setTyped('')
    setActive(-1)
    // The form is told of a change that no key of its fields has made.
    carrier.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }

  const add = (text: string) => change([...chosen, ...commaList(text)])
  const remove = (model: string) => change(chosen.filter(other => other !== model))

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const { key } = event
    if (key === 'Backspace' && typed === '' && chosen.length) return remove(chosen.at(-1)!)
    if (key === 'Escape' && typed !== '') {
      event.stopPropagation()
      event.preventDefault()
      return setTyped('')
    }
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      const step = key === 'ArrowDown' ? 1 : -1
      return setActive(Math.min(Math.max(active + step, -1), suggested.length - 1))
    }
    if ((key === 'Enter' && !event.ctrlKey && !event.metaKey && typed !== '') || key === ',') {
      event.preventDefault()
      add(suggested[active] ?? typed)
    }
  }

  return (
    <Field {...frame}>
      {({ id, name, value: _, ...ties }) => (
        <div className="relative">
          <div className={`input !h-auto !min-h-8 flex-wrap !gap-1 !py-1${ties['aria-invalid'] ? ' input-error' : ''}`}>
            {chosen.map(model => (
              <Chosen
                key={model}
                name={model}
                remove={t('token.remove_model', { model })}
                onRemove={() => remove(model)}
              />
            ))}
            <input
              {...ties}
              id={id}
              className="!w-32"
              role="combobox"
              aria-expanded={suggested.length > 0}
              aria-controls={list}
              aria-autocomplete="list"
              aria-activedescendant={active >= 0 ? `${list}-${active}` : undefined}
              placeholder={t('token.add_model')}
              value={typed}
              onChange={event => {
                setTyped(event.target.value)
                setActive(-1)
              }}
              onKeyDown={onKeyDown}
              onBlur={() => typed && add(typed)}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
          <Suggestions id={list} models={suggested} active={active} onPick={add} />
          <input type="hidden" ref={carrier} name={name} value={chosen.join(',')} />
        </div>
      )}
    </Field>
  )
}

/** Models that the owner may call and that hold what is being typed. */
function useSuggestions(typed: string, chosen: string[]): string[] {
  const { data } = useQuery({ queryKey: ['user-models'], queryFn: () => call<string[]>('GET', '/api/user/models') })
  const wanted = typed.trim().toLowerCase()
  if (!wanted || !data) return []
  return data.filter(model => model.toLowerCase().includes(wanted) && !chosen.includes(model)).slice(0, SUGGESTED_MAX)
}

interface SuggestionsProps {
  id: string
  models: string[]
  active: number
  onPick: (model: string) => void
}

function Suggestions({ id, models, active, onPick }: SuggestionsProps) {
  const { t } = useReader()
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t('token.models')}
      className="pop absolute inset-x-0 top-full z-10 mt-1"
      hidden={!models.length}
    >
      {models.map((model, index) => (
        // The field keeps the focus and hears the keys.
        <div
          key={model}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={`mono cursor-pointer rounded-field px-2.5 leading-8 hover:bg-(--hover) ${index === active ? 'bg-(--tint-primary)' : ''}`}
          onPointerDown={event => {
            event.preventDefault()
            onPick(model)
          }}
        >
          {model}
        </div>
      ))}
    </div>
  )
}
