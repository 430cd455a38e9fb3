/** Island: models of a channel, typed, or ticked among those that the type knows or the provider lists. */
import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { newestFirst } from '../../src/models/newest-first.ts'
import { ErrorText } from '../components/field.tsx'
import { usePageContext } from '../components/page-context.tsx'
import { TagInput } from '../components/tag-input.tsx'
import { callApi } from '../query.ts'
import { ModelPicker } from './model-picker.tsx'

export interface ModelsProps {
  /** Names, separated by commas. */
  value: string
  error?: string
  /** Id of the stored channel; absent for a new one. */
  id?: number
  /** Those of `value` without a price. */
  unpriced: string[]
  /** Page where prices are set. */
  prices_path: string
}

type ChannelForm = HTMLFormElement | null | undefined

/** Known models by channel type. */
const knownModels = queryOptions({
  queryKey: ['models-by-type'],
  queryFn: () => callApi<Record<string, string[]>>('GET', '/api/models'),
})

/** Models of which some are chosen in the picker. */
interface Offer {
  models: string[]
  isFetched: boolean
}

export default function Models({ value, error, id, unpriced, prices_path }: ModelsProps) {
  const { t } = usePageContext()
  const place = useRef<HTMLDivElement>(null)
  const form = () => place.current?.closest('form')
  const { data } = useQuery(knownModels)
  const [names, setNames] = useState<string[]>()
  const [offer, setOffer] = useState<Offer>()
  const known = names === undefined && !offer ? unpriced : undefined
  const priceless = usePriceless(
    [...(names ?? []), ...(offer?.models ?? [])],
    () => valueIn(form(), 'model_prefix'),
    known,
  )
  return (
    <div ref={place} className="grid gap-1">
      <TagInput
        name="models"
        label={t('provider.models')}
        help={t('provider.models_help')}
        placeholder={t('provider.models_add')}
        value={value}
        error={error}
        suggestionsFor={form => data?.[valueIn(form, 'type')] ?? []}
        markOf={name => priceless.has(name) && t('provider.no_price')}
        onNames={setNames}
        actions={(chosen, change) => <ModelButtons {...{ chosen, change, id, offer, setOffer, priceless }} />}
      />
      <Priceless names={(names ?? splitNames(value)).filter(name => priceless.has(name))} path={prices_path} />
    </div>
  )
}

const splitNames = (text: string) => text.split(/[\s,，]+/).filter(Boolean)

function usePriceless(names: string[], prefix: () => string, known: string[] | undefined): Set<string> {
  const unique = [...new Set(names)].sort()
  const { data } = useQuery({
    queryKey: ['unpriced', unique],
    queryFn: () => callApi<string[]>('POST', '/api/channel/unpriced', { models: unique.join(), prefix: prefix() }),
    enabled: known === undefined && unique.length > 0,
    placeholderData: keepPreviousData,
  })
  return new Set(known ?? data)
}

const NAMED_MAX = 3

/** Models whose calls are refused until they have a price. */
function Priceless({ names, path }: { names: string[]; path: string }) {
  const { t } = usePageContext()
  if (!names.length) return null
  const shown = names.slice(0, NAMED_MAX).join(', ') + (names.length > NAMED_MAX ? ' …' : '')
  return (
    <p className="note warning m-0">
      <span>
        {t('provider.no_price_note', { count: names.length, names: shown })}{' '}
        <a
          href={names.length === 1 ? `${path}&new=${encodeURIComponent(names[0]!)}` : path}
          target="_blank"
          rel="noopener"
        >
          {t('provider.set_prices')}
        </a>
      </span>
    </p>
  )
}

interface ModelButtonsProps {
  chosen: string[]
  change: (models: string[]) => void
  id?: number
  offer: Offer | undefined
  setOffer: (offer: Offer | undefined) => void
  priceless: Set<string>
}

function ModelButtons({ chosen, change, id, offer, setOffer, priceless }: ModelButtonsProps) {
  const { t } = usePageContext()
  const [host, setHost] = useState('')
  const loading = useMutation({
    mutationFn: (find: () => Promise<Offer>) => find(),
    onMutate: () => setOffer(undefined),
    onSuccess: setOffer,
  })
  const known = async (form: ChannelForm): Promise<Offer> => {
    const byType = await callApi<Record<string, string[]>>('GET', '/api/models')
    return { models: newestFirst(byType[valueIn(form, 'type')] ?? []), isFetched: false }
  }
  const fetched = async (form: ChannelForm): Promise<Offer> => {
    setHost(hostIn(form))
    return { models: newestFirst(await fetchModels(form, id)), isFetched: true }
  }
  const buttonState = { disabled: loading.isPending, 'aria-busy': loading.isPending }
  return (
    <>
      <div className="presets">
        <button
          type="button"
          onClick={({ currentTarget: { form } }) => loading.mutate(() => fetched(form))}
          {...buttonState}
        >
          {t('provider.models_fetch')}
        </button>
        <button
          type="button"
          onClick={({ currentTarget: { form } }) => loading.mutate(() => known(form))}
          {...buttonState}
        >
          {t('provider.models_fill')}
        </button>
        {chosen.length > 0 && (
          <button type="button" onClick={() => change([])}>
            {t('provider.models_clear', { count: chosen.length })}
          </button>
        )}
      </div>
      {loading.error && (
        <div role="alert" ref={intoView} className="scroll-mb-24">
          <ErrorText>{host ? `${host}: ${loading.error.message}` : loading.error.message}</ErrorText>
        </div>
      )}
      {offer && (
        <ModelPicker
          key={offer.models.join()}
          {...offer}
          {...{ chosen, change, priceless }}
          onClose={() => setOffer(undefined)}
        />
      )}
    </>
  )
}

/** What a button brings stands below it, often beyond the end of the drawer. */
const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

const controlIn = (form: ChannelForm, name: string) => form?.elements.namedItem(name) as HTMLInputElement | null
const valueIn = (form: ChannelForm, name: string) => controlIn(form, name)?.value.trim() ?? ''

/** Host of the base URL, or of the provider's own, which is the placeholder of its field. */
const hostIn = (form: ChannelForm): string =>
  URL.parse(valueIn(form, 'base_url') || (controlIn(form, 'base_url')?.placeholder ?? ''))?.host ?? ''

/** Models that the provider lists, by the typed values. The stored key is used while none is typed. */
function fetchModels(form: ChannelForm, id: number | undefined): Promise<string[]> {
  const names = ['type', 'base_url', 'key', 'other', 'openai_organization'] as const
  const typed = Object.fromEntries(names.map(name => [name, valueIn(form, name)]))
  return callApi('POST', '/api/channel/fetch_models', { ...typed, ...(id && { id }) }, { quiet: true })
}
