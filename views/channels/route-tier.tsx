/** Channels of one priority, with the share of calls that each is tried first for. */
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { PreviewStep, RoutePreview } from '../../src/contracts/route-preview.ts'
import { grouped } from '../../src/pure/number.ts'
import { reportAt } from './route-view.ts'
import { shareText } from './share-text.ts'

/** The tables of the page stand in one grid. */
export const nameWidth = 'sm:w-[30%]'

interface RouteTierProps {
  tier: RoutePreview['tiers'][number]
  /** When it is tried: first, after failures, or only in the place of others because they have used up the attempts. */
  when: 'first' | 'then' | 'spare'
  /** The model that clients request. */
  model: string
}

export function RouteTier({ tier: { priority, steps }, when, model }: RouteTierProps) {
  const { t } = usePageContext()
  const title = t('route.priority', { priority })
  const columns: Column<PreviewStep>[] = [
    {
      id: 'name',
      head: t('route.channel'),
      phone: 'title',
      className: nameWidth,
      cell: step => <ChannelName of={step} />,
    },
    {
      id: 'share',
      head: t('route.share'),
      phone: 'figure',
      className: 'sm:w-[30%]',
      cell: step => <Share of={step} />,
    },
    {
      id: 'keys',
      head: t('route.keys'),
      number: true,
      optional: true,
      cell: ({ good_keys, keys }) => (good_keys === keys ? grouped(keys) : `${good_keys} / ${keys}`),
    },
    {
      id: 'upstream',
      head: t('route.upstream'),
      phone: 'detail',
      className: 'sm:w-[30%]',
      cell: step => <Upstream of={step} model={model} />,
    },
  ]
  return (
    <section className="route-tier">
      <div className="figure-head">
        <h2>
          {title} <small>{t(`route.${when}`)}</small>
        </h2>
      </div>
      <Table
        label={title}
        columns={columns}
        rows={steps}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        dense
        tall
      />
    </section>
  )
}

export const ChannelName = ({ of: { id, name, label } }: { of: Pick<PreviewStep, 'id' | 'name' | 'label'> }) => (
  <span className="stacked">
    <PageLink href={reportAt(id)} className="hover:underline">
      {name}
    </PageLink>
    <small>
      #{id} · {label}
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
