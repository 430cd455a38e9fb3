/** Visual editor: the models with a price, to search, add, edit and delete. */

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
import { plain } from '../../src/pure/decimal.ts'
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
  model_ratio: number
  completion_ratio: number
  /** USD per 1M tokens, before the group ratio. */
  input: number
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
          <HiddenFields of={{ tab: 'operation', area: 'prices' }} />
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
            label={t('pricing.view_models')}
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
        <NoMatch text={t('pricing.none_match')} all={settingsAt({ area: 'prices' })}>
          {t('pricing.show_all')}
        </NoMatch>
      )}
    </>
  )
}

function columnsOf(t: Translate, view: SettingsView): Column<ListedModel>[] {
  const byTokens =
    (cell: Column<ListedModel>['cell']): Column<ListedModel>['cell'] =>
    model =>
      model.model_price === undefined && !model.task ? cell(model) : null
  return [
    {
      id: 'name',
      head: t('pricing.model'),
      phone: 'title',
      className: 'truncate sm:max-w-60',
      cell: model => (
        <PageLink href={settingsAt(view, { edit: model.name })} title={model.name}>
          {model.name}
        </PageLink>
      ),
    },
    {
      id: 'price',
      head: t('pricing.price'),
      phone: 'detail',
      cell: model => <PriceText model={model} />,
    },
    {
      id: 'ratio',
      head: t('pricing.ratio'),
      number: true,
      phone: 'figure',
      cell: byTokens(model => <RatioTag ratio={model.model_ratio} />),
    },
    {
      id: 'completion',
      head: t('pricing.completion'),
      number: true,
      optional: true,
      cell: byTokens(model => `×${plain(Number(model.completion_ratio.toPrecision(4)))}`),
    },
  ]
}

function PriceText({ model }: { model: ListedModel }) {
  const { t } = usePageContext()
  if (model.task)
    return (
      <>
        <Usd of={model.task.price} /> <span className="unit">{t(`pricing.per_${model.task.unit}`)}</span>{' '}
        {model.task.when && <span className="flag ml-1">{t('pricing.by_choice')}</span>}
      </>
    )
  if (model.model_price !== undefined)
    return (
      <>
        <Usd of={model.model_price} /> <span className="unit">{t('pricing.per_call')}</span>
      </>
    )
  return (
    <>
      <span className="unit">{t('pricing.in')}</span> <Usd of={model.input} />{' '}
      <span className="unit ml-2">{t('pricing.out')}</span> <Usd of={model.output} />
      {model.tiers && <span className="flag ml-2">{t('pricing.tiered')}</span>}
    </>
  )
}

function RowActions({ model, view }: { model: ListedModel; view: SettingsView }) {
  const { t } = usePageContext()
  return (
    <>
      <PageLink
        className="icon-button"
        href={settingsAt(view, { edit: model.name })}
        aria-label={t('pricing.edit_named', { name: model.name })}
      >
        <Icon of={Pencil} />
      </PageLink>
      <PageLink
        className="icon-button"
        href={settingsAt(view, { delete: model.name })}
        aria-label={t('pricing.delete_named', { name: model.name })}
      >
        <Icon of={Trash2} />
      </PageLink>
    </>
  )
}
