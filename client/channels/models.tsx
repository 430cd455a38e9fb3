/** Island: models of a channel, typed, filled from the channel type or fetched from the provider. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePageContext } from '../components/page-context.tsx'
import { TagInput } from '../components/tag-input.tsx'
import { callApi } from '../query.ts'

export interface ModelsProps {
  /** Names, separated by commas. */
  value: string
  error?: string
  /** The stored channel; absent for a new one. */
  stored?: StoredChannel
}

interface StoredChannel {
  id: number
  type: number
  base_url: string
}

type ChannelForm = HTMLFormElement | null | undefined

/** Known models by channel type. */
const knownModels = queryOptions({
  queryKey: ['models-by-type'],
  queryFn: () => callApi<Record<string, string[]>>('GET', '/api/models'),
})

export default function Models({ value, error, stored }: ModelsProps) {
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
      suggestionsFor={form => data?.[valueIn(form, 'type')] ?? []}
      actions={(chosen, change) => <ModelButtons {...{ chosen, change, stored }} />}
    />
  )
}

interface ModelButtonsProps {
  chosen: string[]
  change: (models: string[]) => void
  stored?: StoredChannel
}

function ModelButtons({ chosen, change, stored }: ModelButtonsProps) {
  const { t } = usePageContext()
  const client = useQueryClient()
  const loading = useMutation({
    mutationFn: (find: () => Promise<string[]>) => find(),
    onSuccess: models => change([...chosen, ...models]),
  })
  const ofItsType = async (form: ChannelForm) =>
    (await client.ensureQueryData(knownModels))[valueIn(form, 'type')] ?? []
  const buttonState = { disabled: loading.isPending, 'aria-busy': loading.isPending }
  return (
    <div className="presets">
      <button
        type="button"
        onClick={({ currentTarget: { form } }) => loading.mutate(() => ofItsType(form))}
        {...buttonState}
      >
        {t('provider.models_fill')}
      </button>
      <button
        type="button"
        onClick={({ currentTarget: { form } }) => loading.mutate(() => fetchModels(form, stored))}
        {...buttonState}
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

/** Models that the provider lists: with the stored key when type, base URL and key are unchanged, else with the typed values. */
function fetchModels(form: ChannelForm, stored: StoredChannel | undefined): Promise<string[]> {
  const [type, base_url, key] = ['type', 'base_url', 'key'].map(name => valueIn(form, name))
  if (stored && !key && type === String(stored.type) && base_url === stored.base_url)
    return callApi('GET', `/api/channel/fetch_models/${stored.id}`)
  return callApi('POST', '/api/channel/fetch_models', { type, base_url, key })
}
