/** The models that a channel serves: typed, all that its type is known to have, or what the provider itself lists. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePageContext } from '../components/page-context.tsx'
import { TagInput } from '../components/tag-input.tsx'
import { callApi } from '../query.ts'

export interface ModelsProps {
  /** A comma list. */
  value: string
  error?: string
  /** The channel as it is kept, when it is not a new one. */
  kept?: StoredChannel
}

interface StoredChannel {
  id: number
  type: number
  base_url: string
}

type ChannelForm = HTMLFormElement | null | undefined

/** What each type of provider is known to have. */
const knownModels = queryOptions({
  queryKey: ['models-by-type'],
  queryFn: () => callApi<Record<string, string[]>>('GET', '/api/models'),
})

export default function Models({ value, error, kept }: ModelsProps) {
  const { t } = usePageContext()
  const { data } = useQuery(knownModels)
  return (
    <TagInput
      name="models"
      label={t('provider.models')}
      help={t('provider.models_help')}
      placeholder={t('provider.models_add')}
      value={value}
      error={error}
      known={form => data?.[valueIn(form, 'type')] ?? []}
      quick={(chosen, change) => <ModelButtons {...{ chosen, change, kept }} />}
    />
  )
}

interface ModelButtonsProps {
  chosen: string[]
  change: (models: string[]) => void
  kept?: StoredChannel
}

function ModelButtons({ chosen, change, kept }: ModelButtonsProps) {
  const { t } = usePageContext()
  const client = useQueryClient()
  const bringing = useMutation({
    mutationFn: (find: () => Promise<string[]>) => find(),
    onSuccess: models => change([...chosen, ...models]),
  })
  const ofItsType = async (form: ChannelForm) =>
    (await client.ensureQueryData(knownModels))[valueIn(form, 'type')] ?? []
  const waiting = { disabled: bringing.isPending, 'aria-busy': bringing.isPending }
  return (
    <div className="presets">
      <button
        type="button"
        onClick={({ currentTarget: { form } }) => bringing.mutate(() => ofItsType(form))}
        {...waiting}
      >
        {t('provider.models_fill')}
      </button>
      <button
        type="button"
        onClick={({ currentTarget: { form } }) => bringing.mutate(() => fetchModels(form, kept))}
        {...waiting}
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

const valueIn = (form: ChannelForm, name: string) =>
  (form?.elements.namedItem(name) as HTMLInputElement | null)?.value.trim() ?? ''

/** What the provider itself lists: to the kept key at the kept address, else to what was typed. */
function fetchModels(form: ChannelForm, kept: StoredChannel | undefined): Promise<string[]> {
  const [type, base_url, key] = ['type', 'base_url', 'key'].map(name => valueIn(form, name))
  if (kept && !key && type === String(kept.type) && base_url === kept.base_url)
    return callApi('GET', `/api/channel/fetch_models/${kept.id}`)
  return callApi('POST', '/api/channel/fetch_models', { type, base_url, key })
}
