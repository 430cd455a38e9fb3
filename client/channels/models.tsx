/** The models that a channel serves: typed, all that its type is known to have, or what the provider itself lists. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { NamesField } from '../parts/names.tsx'
import { useReader } from '../parts/reader.tsx'
import { call } from '../query.ts'

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

type Typed = HTMLFormElement | null | undefined

export default function Models({ value, error, kept }: ModelsProps) {
  const { t } = useReader()
  const knownTo = useKnownModels()
  return (
    <NamesField
      name="models"
      label={t('provider.models')}
      help={t('provider.models_help')}
      placeholder={t('provider.models_add')}
      value={value}
      error={error}
      known={knownTo}
      quick={(chosen, change) => <Quick {...{ chosen, change, knownTo, kept }} />}
    />
  )
}

interface QuickProps {
  chosen: string[]
  change: (models: string[]) => void
  knownTo: (form: Typed) => string[]
  kept?: Kept
}

function Quick({ chosen, change, knownTo, kept }: QuickProps) {
  const { t } = useReader()
  const asking = useMutation({
    mutationFn: (form: Typed) => modelsAt(form, kept),
    onSuccess: models => change([...chosen, ...models]),
  })
  return (
    <div className="presets">
      <button type="button" onClick={({ currentTarget }) => change([...chosen, ...knownTo(currentTarget.form)])}>
        {t('provider.models_fill')}
      </button>
      <button
        type="button"
        onClick={({ currentTarget }) => asking.mutate(currentTarget.form)}
        disabled={asking.isPending}
        aria-busy={asking.isPending}
      >
        {t('provider.models_fetch')}
      </button>
      {chosen.length > 0 && (
        <button type="button" onClick={() => change([])}>
          {t('provider.models_clear', { count: chosen.length })}
        </button>
      )}
    </div>
  )
}

const typedIn = (form: Typed, name: string) =>
  (form?.elements.namedItem(name) as HTMLInputElement | null)?.value.trim() ?? ''

/** What the provider itself lists: to the kept key at the kept address, else to what was typed. */
function modelsAt(form: Typed, kept: Kept | undefined): Promise<string[]> {
  const [type, base_url, key] = ['type', 'base_url', 'key'].map(name => typedIn(form, name))
  if (kept && !key && type === String(kept.type) && base_url === kept.base_url)
    return call('GET', `/api/channel/fetch_models/${kept.id}`)
  return call('POST', '/api/channel/fetch_models', { type, base_url, key })
}

/** What the type that is chosen in a form is known to have. */
function useKnownModels() {
  const { data } = useQuery({
    queryKey: ['models-by-type'],
    queryFn: () => call<Record<string, string[]>>('GET', '/api/models'),
  })
  return (form: Typed) => data?.[typedIn(form, 'type')] ?? []
}
