/** The public price page: each model's prices in one of the visitor's groups. */

import CopyDrawing from 'lucide/dist/esm/icons/copy.mjs'
import Info from 'lucide/dist/esm/icons/info.mjs'
import type { ReactNode } from 'react'
import { Tag } from '../../client/components/badge.tsx'
import { Empty, NoMatch } from '../../client/components/empty.tsx'
import { HiddenFields, Search } from '../../client/components/filters.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { SelectionBar } from '../../client/components/selection.tsx'
import { Table } from '../../client/components/table.tsx'
import type { GroupOffer } from '../../src/contracts/pricing.ts'
import { PRICING_PATH } from '../../src/contracts/pricing.ts'
import { grouped } from '../../src/pure/number.ts'
import { columnsOf } from './columns.tsx'
import { Detail } from './detail.tsx'
import { Explanation } from './explanation.tsx'
import { PriceFilters } from './filters.tsx'
import { firstOf, type ModelPrices, type PricingView, pricingAt } from './view.ts'

export interface PricingProps {
  view: PricingView
  /** Models that the view names, in the chosen group. */
  models: ModelPrices[]
  /** Number of models in the chosen group. */
  total: number
  /** Groups that the visitor may choose. */
  groups: Record<string, GroupOffer>
  group: string
  /** Group of a signed-in user. */
  ownGroup?: string
  /** Groups with models that the chosen one lacks. */
  elsewhere: string[]
  vendors: string[]
  /** The reader is an administrator. */
  inRatios: boolean
  /** Name of the open model. */
  open?: string
  /** Dialog over the page. */
  overlay?: ReactNode
}

export function Pricing(props: PricingProps) {
  const { view, total, overlay } = props
  const { t } = usePageContext()
  return (
    <div className="public pricing">
      <PageHead title={t('pricing.title')} small={grouped(total)} />
      <GroupNotice {...props} />
      <p className="help mb-2">{t('pricing.formula')}</p>
      <details className="explanation">
        <summary>{t('pricing.explain')}</summary>
        <Explanation />
        <p className="help mb-0 max-w-prose">{t('pricing.explain_help')}</p>
      </details>
      <div className="mt-4 mb-3">
        <Search
          action={pricingAt({})}
          value={view.keyword}
          placeholder={t('pricing.search', { count: grouped(total) })}
        >
          <HiddenFields of={{ kind: view.kind, vendor: view.vendor, group: view.group, sort: view.sort }} />
        </Search>
      </div>
      <PriceFilters {...props} />
      <Models {...props} />
      <Elsewhere {...props} />
      {overlay}
    </div>
  )
}

/** Whose prices these are. */
function GroupNotice({ groups, group, ownGroup, view }: PricingProps) {
  const { t } = usePageContext()
  const tag = <Tag name={group} ratio={groups[group]!.ratio} />
  if (ownGroup === undefined)
    return (
      <div className="note mb-3">
        <Icon of={Info} />
        <span>
          {t('pricing.visitor')} {tag}{' '}
          <a className="text" href={`/login?${new URLSearchParams({ returnTo: pricingAt(view) })}`}>
            {t('pricing.sign_in')}
          </a>
        </span>
      </div>
    )
  return (
    <div className="note mb-3">
      <Icon of={Info} />
      <span>
        {t('pricing.own_group')} <Tag name={ownGroup} ratio={groups[ownGroup]!.ratio} />
        {group !== ownGroup && (
          <>
            {' '}
            {t('pricing.other_group')} {tag}
          </>
        )}
      </span>
    </div>
  )
}

function Models({ view, models, total, groups, group, open, inRatios }: PricingProps) {
  const { t } = usePageContext()
  if (!models.length)
    return total ? (
      <NoMatch text={t('pricing.none_match')} all={pricingAt({ group: view.group })}>
        {t('pricing.show_all')}
      </NoMatch>
    ) : (
      <Empty text={t('pricing.none')} />
    )
  const shown = firstOf(models, view, open)
  const isOpen = ({ name }: ModelPrices) => name === open
  const hrefOf = (model: ModelPrices) => pricingAt(view, isOpen(model) ? undefined : model.name)
  return (
    <>
      <Table
        label={t('pricing.title')}
        columns={columnsOf({ t, view, hrefOf, inRatios })}
        rows={shown}
        keyOf={model => model.name}
        nameOf={model => model.name}
        selectable
        fold={{ isOpen, hrefOf, inside: model => <Detail model={model} view={view} groups={groups} group={group} /> }}
      />
      {shown.length < models.length && (
        <p className="mt-4 mb-0 text-center">
          <PageLink className="btn" href={pricingAt({ ...view, all: '1' })}>
            {t('pricing.all', { count: grouped(models.length) })}
          </PageLink>
        </p>
      )}
      <SelectionBar action={`${PRICING_PATH}/selected`} returnTo={pricingAt(view)}>
        <button type="button" className="script-only" data-copy-selected>
          <Icon of={CopyDrawing} />
          <span>{t('pricing.copy_names')}</span>
        </button>
        <noscript>
          <button type="submit">{t('pricing.copy_names')}</button>
        </noscript>
      </SelectionBar>
    </>
  )
}

function Elsewhere({ view, elsewhere, groups }: PricingProps) {
  const { t } = usePageContext()
  if (!elsewhere.length) return null
  return (
    <p className="help mt-4">
      {t('pricing.elsewhere')}{' '}
      <span className="tags">
        {elsewhere.map(name => (
          <PageLink key={name} href={pricingAt({ ...view, group: name })}>
            <Tag name={name} ratio={groups[name]!.ratio} />
          </PageLink>
        ))}
      </span>
    </p>
  )
}
