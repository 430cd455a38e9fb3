/** Columns of the price list; on phones a model is a card with its prices in one line. */
import type { ReactNode } from 'react'
import { PageLink } from '../../client/components/link.tsx'
import { Maker } from '../../client/components/maker.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { Seconds } from '../../client/components/seconds.tsx'
import type { Column } from '../../client/components/table.tsx'
import { shareText } from '../../src/contracts/availability.ts'
import type { Translate } from '../../src/locales/index.ts'
import { grouped, short } from '../../src/pure/number.ts'
import { CapabilityMarks } from './capabilities.tsx'
import { NoPrice, PerUnit, Price } from './price.tsx'
import { RatioTag } from './ratio-tag.tsx'
import { type ModelPrices, type PricingView, sortedBy } from './view.ts'

const PRICE_COLUMNS = 3

interface ColumnContext {
  t: Translate
  view: PricingView
  hrefOf: (model: ModelPrices) => string
  /** The ratios are shown, in which only operators think. */
  inRatios: boolean
}

export function columnsOf({ t, view, hrefOf, inRatios }: ColumnContext): Column<ModelPrices>[] {
  const price = (id: 'input' | 'cache_read' | 'output'): Column<ModelPrices> => ({
    id,
    head: t(`pricing.${id}`),
    sort: sortedBy(view, id),
    number: true,
    cell: model => <Price model={model} bucket={id} />,
  })
  return [
    {
      id: 'model',
      head: t('pricing.model'),
      sort: sortedBy(view, 'name'),
      phone: 'title',
      className: 'truncate sm:max-w-72',
      cell: model => (
        <PageLink href={hrefOf(model)} title={model.name}>
          {model.name}
        </PageLink>
      ),
    },
    {
      id: 'vendor',
      head: t('pricing.vendor'),
      optional: true,
      className: 'ink-2',
      cell: model => <Maker of={model.vendor} />,
    },
    {
      id: 'capabilities',
      head: t('pricing.capabilities'),
      optional: true,
      cell: ({ capabilities }) => <CapabilityMarks of={capabilities} />,
    },
    {
      ...price('input'),
      span: model => (model.kind === 'tokens' ? 1 : PRICE_COLUMNS),
      cell: model => <FirstPrice model={model} />,
    },
    price('cache_read'),
    price('output'),
    {
      id: 'context',
      head: t('pricing.context'),
      sort: sortedBy(view, 'context'),
      number: true,
      optional: true,
      cell: ({ context }) =>
        context ? <span title={t('pricing.context_exact', { count: grouped(context) })}>{short(context)}</span> : none,
    },
    {
      id: 'success',
      head: t('pricing.success'),
      sort: sortedBy(view, 'success'),
      number: true,
      optional: true,
      cell: ({ success }) => (success === undefined ? none : shareText(success)),
    },
    {
      id: 'first_token',
      head: t('pricing.first_token'),
      sort: sortedBy(view, 'first_token'),
      number: true,
      optional: true,
      cell: ({ first_token_ms }) => (first_token_ms === undefined ? none : <Seconds ms={first_token_ms} />),
    },
    ...(inRatios ? [ratio(t)] : []),
    {
      id: 'prices',
      head: t('pricing.price'),
      phone: 'detail',
      className: 'sm:hidden',
      cell: model => <PhonePrices model={model} />,
    },
  ]
}

const none = <span className="ink-3">—</span>

const ratio = (t: Translate): Column<ModelPrices> => ({
  id: 'ratio',
  head: t('pricing.ratio'),
  number: true,
  phone: 'figure',
  cell: model => model.kind === 'tokens' && <RatioTag ratio={model.model_ratio} />,
})

/** Stands across the columns of prices for a model without prices by token. */
function FirstPrice({ model }: { model: ModelPrices }): ReactNode {
  if (model.kind === 'none') return <NoPrice />
  return model.kind === 'tokens' ? <Price model={model} bucket="input" /> : <PerUnit model={model} />
}

function PhonePrices({ model }: { model: ModelPrices }) {
  const { t } = usePageContext()
  if (model.kind !== 'tokens') return <FirstPrice model={model} />
  return (
    <span className="inline-flex flex-wrap gap-x-3">
      {(['input', 'output'] as const).map(bucket => (
        <span key={bucket}>
          {t(`pricing.${bucket}`)} <Price model={model} bucket={bucket} />
        </span>
      ))}
    </span>
  )
}
