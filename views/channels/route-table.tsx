/** One table of the channels that a call tries, tier by tier, and of those that list the model but are not tried. */
import { PageLink } from '../../client/components/link.tsx'
import { Maker } from '../../client/components/maker.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { PassedOver, PreviewStep, PricedRoutePreview } from '../../src/contracts/route-preview.ts'
import { grouped } from '../../src/pure/number.ts'
import { Reasons } from './passed-over.tsx'
import { reportAt } from './route-view.ts'
import { shareText } from './share-text.ts'

/** The reason takes the place of what is sent upstream, of the keys and of the share. */
const REASON_SPAN = 3

type RouteRow = PreviewStep | PassedOver

const isTried = (row: RouteRow): row is PreviewStep => 'share' in row

export function RouteTable({ route, passed }: { route: PricedRoutePreview; passed: PassedOver[] }) {
  const { t } = usePageContext()
  const tierOf = new Map<RouteRow, number>(
    route.tiers.flatMap(({ steps }, index) => steps.map(step => [step, index] as const)),
  )
  const columns: Column<RouteRow>[] = [
    { id: 'name', head: t('route.channel'), phone: 'title', className: 'sm:w-[34%]', cell: ChannelName },
    {
      id: 'upstream',
      head: t('route.upstream'),
      phone: 'detail',
      span: row => (isTried(row) ? 1 : REASON_SPAN),
      cell: row => (isTried(row) ? <Upstream of={row} model={route.model} /> : <Reasons of={row} route={route} />),
    },
    {
      id: 'keys',
      head: t('route.keys'),
      number: true,
      optional: true,
      cell: row => isTried(row) && (row.good_keys === row.keys ? grouped(row.keys) : `${row.good_keys} / ${row.keys}`),
    },
    {
      id: 'share',
      head: t('route.share'),
      phone: 'figure',
      className: 'sm:w-[22%]',
      cell: row => isTried(row) && <Share of={row} />,
    },
  ]
  return (
    <Table
      label={t('route.channels')}
      columns={columns}
      rows={[...tierOf.keys(), ...passed]}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      headingOf={(row, above) => {
        const tier = tierOf.get(row)
        if (above && tierOf.get(above) === tier) return undefined
        return tier === undefined ? t('route.others') : <TierHead route={route} index={tier} />
      }}
      dense
      tall
    />
  )
}

function TierHead({ route, index }: { route: PricedRoutePreview; index: number }) {
  const { t } = usePageContext()
  return (
    <>
      {t('route.priority', { priority: route.tiers[index]!.priority })}{' '}
      <span className="ink-3 font-normal">{t(`route.${whenTried(route, index)}`)}</span>
    </>
  )
}

/** Failed attempts at the channels above may have used up those of the call. */
function whenTried({ tiers, attempts_max }: PricedRoutePreview, index: number) {
  if (index === 0) return 'first'
  const above = tiers.slice(0, index).reduce((sum, { steps }) => sum + steps.length, 0)
  return above < attempts_max ? 'then' : 'spare'
}

export const ChannelName = ({ id, name, label }: Pick<PreviewStep, 'id' | 'name' | 'label'>) => (
  <span className="stacked">
    <PageLink href={reportAt(id)} className="hover:underline">
      {name}
    </PageLink>
    <small>
      #{id} · <Maker of={label} />
    </small>
  </span>
)

function Share({ of: { name, share } }: { of: PreviewStep }) {
  const { t } = usePageContext()
  if (share === 0) return <span className="ink-3">{t('route.last')}</span>
  return (
    <span className="route-share">
      <span
        className="meter"
        role="meter"
        aria-label={t('route.share_of', { name })}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i style={{ width: `${share * 100}%` }} />
      </span>
      <span className="number">{shareText(share)}</span>
    </span>
  )
}

function Upstream({ of: { upstream_model, format, max_input_tokens }, model }: { of: PreviewStep; model: string }) {
  const { t } = usePageContext()
  return (
    <span className="stacked">
      <code className={upstream_model === model ? 'ink-2' : undefined}>{upstream_model}</code>
      <small>
        {format}
        {max_input_tokens > 0 && ` · ${t('route.limit', { count: grouped(max_input_tokens) })}`}
      </small>
    </span>
  )
}
