/** The models that a channel serves, as chips, filled in with one click; without JavaScript a plain list. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useRef, useState, useSyncExternalStore } from 'react'
import { modelNames, repeatedNames } from '../../src/contracts/channel.ts'
import { Chosen } from '../parts/chosen.tsx'
import { AreaField, Field } from '../parts/field.tsx'
import { useReader } from '../parts/reader.tsx'
import { call } from '../query.ts'

const NAME = 'models'
const separator = /[\s,，]/

export interface ModelsProps {
  /** A comma list. */
  value: string
  error?: string
  /** The channel as it is kept, when it is not a new one. */
  kept?: Kept
}

interface Kept {
  id: number
  type: number
  base_url: string
}

export default function Models({ value, error, kept }: ModelsProps) {
  const { t } = useReader()
  const frame = { name: NAME, label: t('provider.models'), help: t('provider.models_help'), error }
  if (useIsLive()) return <Picker {...frame} start={modelNames(value)} kept={kept} />
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

function Picker({ start, kept, ...frame }: Frame & { start: string[]; kept?: Kept }) {
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

  const type = () => typedIn(carrier.current?.form, 'type')
  const fetching = useMutation({
    mutationFn: () => modelsAt(carrier.current?.form, kept),
    onSuccess: models => change(modelNames([...chosen, ...models].join(' '))),
  })
  /** What the chosen type is known to have, and is not here yet. */
  const offered = () => (known[type()] ?? []).filter(model => !chosen.includes(model))

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Backspace' && !typed) return change(chosen.slice(0, -1))
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || !typed) return
    event.preventDefault()
    add(typed)
  }

  return (
    <div>
      <Field
        {...frame}
        after={
          <Quick
            count={chosen.length}
            onFill={() => change([...chosen, ...offered()])}
            onFetch={() => fetching.mutate()}
            isFetching={fetching.isPending}
            onClear={() => change([])}
          />
        }
      >
        {({ id, name, value: _, ...ties }) => (
          <div className={`input !h-auto !min-h-8 flex-wrap !gap-1 !py-1${ties['aria-invalid'] ? ' input-error' : ''}`}>
            {chosen.length > 0 && (
              <span className="flex max-h-44 flex-wrap gap-1 overflow-y-auto">
                {chosen.map(model => (
                  <Chosen
                    key={model}
                    name={model}
                    remove={t('provider.models_remove', { model })}
                    onRemove={() => change(chosen.filter(other => other !== model))}
                  />
                ))}
              </span>
            )}
            <input
              {...ties}
              id={id}
              className="!h-6 !w-40"
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
              {offered().map(model => (
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

interface QuickProps {
  count: number
  onFill: () => void
  onFetch: () => void
  isFetching: boolean
  onClear: () => void
}

function Quick({ count, onFill, onFetch, isFetching, onClear }: QuickProps) {
  const { t } = useReader()
  return (
    <div className="presets">
      <button type="button" onClick={onFill}>
        {t('provider.models_fill')}
      </button>
      <button type="button" onClick={onFetch} disabled={isFetching} aria-busy={isFetching}>
        {t('provider.models_fetch')}
      </button>
      {count > 0 && (
        <button type="button" onClick={onClear}>
          {t('provider.models_clear', { count })}
        </button>
      )}
    </div>
  )
}

const typedIn = (form: HTMLFormElement | null | undefined, name: string) =>
  (form?.elements.namedItem(name) as HTMLInputElement | null)?.value.trim() ?? ''

/** What the provider itself lists: to the kept key at the kept address, else to what was typed. */
function modelsAt(form: HTMLFormElement | null | undefined, kept: Kept | undefined): Promise<string[]> {
  const [type, base_url, key] = ['type', 'base_url', 'key'].map(name => typedIn(form, name))
  if (kept && !key && type === String(kept.type) && base_url === kept.base_url)
    return call('GET', `/api/channel/fetch_models/${kept.id}`)
  return call('POST', '/api/channel/fetch_models', { type, base_url, key })
}

/** What each type of provider is known to have. */
function useKnownModels(): Record<string, string[]> {
  const { data } = useQuery({
    queryKey: ['models-by-type'],
    queryFn: () => call<Record<string, string[]>>('GET', '/api/models'),
  })
  return data ?? {}
}
