/** The models that a channel serves, as chips, filled in with one click; without JavaScript a plain list. */
import { useQuery } from '@tanstack/react-query'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useId, useRef, useState, useSyncExternalStore } from 'react'
import { modelNames, repeatedNames } from '../../src/contracts/channel.ts'
import { AreaField, Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { useReader } from '../parts/reader.tsx'
import { call } from '../query.ts'

const NAME = 'models'
const separator = /[\s,，]/

export interface ModelsProps {
  /** A comma list. */
  value: string
  error?: string
}

export default function Models({ value, error }: ModelsProps) {
  const { t } = useReader()
  const frame = { name: NAME, label: t('provider.models'), help: t('provider.models_help'), error }
  if (useIsLive()) return <Picker {...frame} start={modelNames(value)} />
  return <AreaField {...frame} value={value} mono rows={3} autoComplete="off" spellCheck={false} />
}

const never = () => () => {}

/** False on the server and while waking, so that both draw the same. */
const useIsLive = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

type Frame = Omit<Parameters<typeof Field>[0], 'children' | 'after'>

function Picker({ start, ...frame }: Frame & { start: string[] }) {
  const { t } = useReader()
  const [chosen, setChosen] = useState(start)
  const [typed, setTyped] = useState('')
  const [repeated, setRepeated] = useState<string[]>([])
  const carrier = useRef<HTMLInputElement>(null)
  const known = useKnownModels()
  const list = useId()

  function change(models: string[]) {
    setChosen(models)
    // The form is told of a change that no key of its fields has made.
    carrier.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }

  function add(text: string) {
    const all = [...chosen, text].join(' ')
    setTyped('')
    setRepeated(repeatedNames(all))
    change(modelNames(all))
  }

  const type = () => (carrier.current?.form?.elements.namedItem('type') as HTMLSelectElement | null)?.value ?? ''
  const fill = () => change([...new Set([...chosen, ...(known[type()] ?? [])])])

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Backspace' && !typed) return change(chosen.slice(0, -1))
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || !typed) return
    event.preventDefault()
    add(typed)
  }

  const quick = (
    <div className="presets">
      <button type="button" onClick={fill}>
        {t('provider.models_fill')}
      </button>
      {chosen.length > 0 && (
        <button type="button" onClick={() => change([])}>
          {t('provider.models_clear', { count: chosen.length })}
        </button>
      )}
    </div>
  )

  return (
    <div>
      <Field {...frame} after={quick}>
        {({ id, name, value: _, ...ties }) => (
          <div
            className={`input !h-auto !min-h-8 flex-wrap !gap-1 !py-1 max-h-48 overflow-y-auto${ties['aria-invalid'] ? ' input-error' : ''}`}
          >
            {chosen.map(model => (
              <Chip key={model} model={model} onRemove={() => change(chosen.filter(other => other !== model))} />
            ))}
            <input
              {...ties}
              id={id}
              className="!w-40"
              list={list}
              placeholder={t('provider.models_add')}
              value={typed}
              onChange={({ target }) => (separator.test(target.value) ? add(target.value) : setTyped(target.value))}
              onKeyDown={onKeyDown}
              onBlur={() => typed && add(typed)}
              autoComplete="off"
              spellCheck={false}
            />
            <datalist id={list}>
              {(known[type()] ?? [])
                .filter(model => !chosen.includes(model))
                .map(model => (
                  <option key={model} value={model} />
                ))}
            </datalist>
            <input type="hidden" ref={carrier} name={name} value={chosen.join(',')} />
          </div>
        )}
      </Field>
      <p className="help m-0" role="status">
        {repeated.length > 0 && t('provider.models_repeated', { names: repeated.join(', ') })}
      </p>
    </div>
  )
}

function Chip({ model, onRemove }: { model: string; onRemove: () => void }) {
  const { t } = useReader()
  return (
    <span className="flag inline-flex items-center gap-1">
      {model}
      <button
        type="button"
        className="inline-flex cursor-pointer"
        aria-label={t('provider.models_remove', { model })}
        onClick={onRemove}
      >
        <Icon of={X} small />
      </button>
    </span>
  )
}

/** What each type of provider is known to have. */
function useKnownModels(): Record<string, string[]> {
  const { data } = useQuery({
    queryKey: ['models-by-type'],
    queryFn: () => call<Record<string, string[]>>('GET', '/api/models'),
  })
  return data ?? {}
}
