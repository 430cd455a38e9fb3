/** Models with a price, those that are served or all, to search, add, edit and delete. */
import Pencil from 'lucide/dist/esm/icons/pencil.mjs'
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import RotateCcw from 'lucide/dist/esm/icons/rotate-ccw.mjs'
import Trash2 from 'lucide/dist/esm/icons/trash.mjs'
import { NoMatch } from '../../client/components/empty.tsx'
import { HiddenFields, Search } from '../../client/components/filters.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { TaskPrice } from '../../src/billing/task-price.ts'
import { SETTINGS_PATH } from '../../src/contracts/option.ts'
import type { Listing } from '../../src/contracts/paging.ts'
import type { Translate } from '../../src/locales/index.ts'
import { grouped } from '../../src/pure/number.ts'
import { Usd } from './price.tsx'
import { RatioTag } from './ratio-tag.tsx'
import { type SettingsView, settingsAt } from './settings-view.ts'

/** A model with a price. */
export interface ListedModel {
  name: string
  /** Of a model whose calls are tasks; then the other prices do not count. */
  task?: TaskPrice
  /** USD per call; absent for a price by tokens. */
  model_price?: number
  /** The tables name it, and no pattern. */
  is_own: boolean
  model_ratio: number
  /** USD per 1M tokens, before the group ratio. */
  input: number
  cache_read: number
  output: number
  /** Has prices by prompt length. */
  tiers: boolean
}

export function ModelList({ list, view }: { list: Listing<ListedModel>; view: SettingsView }) {
  const { t } = usePageContext()
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Search
          action={SETTINGS_PATH}
          value={view.keyword}
          placeholder={t('pricing.search', { count: grouped(list.total) })}
        >
          <HiddenFields
            of={{ tab: 'operation', area: 'prices', view: view.view === 'models' ? view.view : undefined }}
          />
        </Search>
        <span className="flex-1 wide-only" />
        <PageLink className="btn" href={settingsAt(view, 'reset')} aria-label={t('pricing.reset')}>
          <Icon of={RotateCcw} />
          <span className="wide-only">{t('pricing.reset')}</span>
        </PageLink>
        <PageLink className="btn btn-primary" href={settingsAt(view, 'new')} aria-label={t('pricing.add')}>
          <Icon of={Plus} />
          <span className="wide-only">{t('pricing.add')}</span>
        </PageLink>
      </div>
      {list.items.length ? (
        <>
          <Table
            label={t(`pricing.view_${view.view ?? 'served'}`)}
            columns={columnsOf(t, view)}
            rows={list.items}
            keyOf={model => model.name}
            nameOf={model => model.name}
            actions={model => <RowActions model={model} view={view} />}
          />
          <Pager
            page={list.page}
            size={list.page_size}
            total={list.total}
            hrefOf={page => settingsAt({ ...view, page })}
          />
        </>
      ) : (
        <NoMatch
          text={t(view.keyword ? 'pricing.none_match' : 'pricing.none_served')}
          all={settingsAt({ area: 'prices', view: 'models' })}
        >
          {t('pricing.show_all')}
        </NoMatch>
      )}
    </>
  )
}

function columnsOf(t: Translate, view: SettingsView): Column<ListedModel>[] {
  const price = (id: 'input' | 'cache_read' | 'output'): Column<ListedModel> => ({
    id,
    head: t(`pricing.${id}`),
    number: true,
    cell: model => <Usd of={model[id]} />,
  })
  return [
    {
      id: 'name',
      head: t('pricing.model'),
      phone: 'title',
      className: 'truncate sm:max-w-60',
      cell: model => (
        <PageLink href={settingsAt(view, editing(model))} title={model.name}>
          {model.name}
        </PageLink>
      ),
    },
    {
      ...price('input'),
      span: model => (isByTokens(model) ? 1 : PRICE_COLUMNS),
      cell: model => (isByTokens(model) ? <Usd of={model.input} /> : <UnitPrice model={model} />),
    },
    price('cache_read'),
    {
      ...price('output'),
      cell: model => (
        <>
          {model.tiers && <span className="flag mr-2">{t('pricing.tiered')}</span>}
          <Usd of={model.output} />
        </>
      ),
    },
    {
      id: 'ratio',
      head: t('pricing.ratio'),
      number: true,
      phone: 'figure',
      cell: model => isByTokens(model) && <RatioTag ratio={model.model_ratio} />,
    },
    {
      id: 'prices',
      head: t('pricing.price'),
      phone: 'detail',
      className: 'sm:hidden',
      cell: model => <PhonePrice model={model} />,
    },
  ]
}

const PRICE_COLUMNS = 3

const isByTokens = (model: ListedModel) => model.model_price === undefined && !model.task

function UnitPrice({ model: { task, model_price = 0 } }: { model: ListedModel }) {
  const { t } = usePageContext()
  return (
    <>
      <Usd of={task?.price ?? model_price} /> <span className="unit">{t(`pricing.per_${task?.unit ?? 'call'}`)}</span>{' '}
      {task?.when && <span className="flag ml-1">{t('pricing.by_choice')}</span>}
    </>
  )
}

function PhonePrice({ model }: { model: ListedModel }) {
  const { t } = usePageContext()
  if (!isByTokens(model)) return <UnitPrice model={model} />
  return (
    <>
      {t('pricing.input')} <Usd of={model.input} /> · {t('pricing.output')} <Usd of={model.output} />
    </>
  )
}

/** A model that has the price of a pattern or of another name gets one of its own. */
const editing = ({ name, is_own }: ListedModel) => (is_own ? { edit: name } : { new: name })

function RowActions({ model, view }: { model: ListedModel; view: SettingsView }) {
  const { t } = usePageContext()
  return (
    <>
      <PageLink
        className="icon-button"
        href={settingsAt(view, editing(model))}
        aria-label={t('pricing.edit_named', { name: model.name })}
      >
        <Icon of={Pencil} />
      </PageLink>
      {model.is_own && (
        <PageLink
          className="icon-button"
          href={settingsAt(view, { delete: model.name })}
          aria-label={t('pricing.delete_named', { name: model.name })}
        >
          <Icon of={Trash2} />
        </PageLink>
      )}
    </>
  )
}
