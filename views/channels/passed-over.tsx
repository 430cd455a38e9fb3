/** The channels that a call does not try, each with the reasons. */
import { Ago } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { Obstacle, PassedOver, RoutePreview } from '../../src/contracts/route-preview.ts'
import type { Translate } from '../../src/locales/index.ts'
import { grouped } from '../../src/pure/number.ts'
import { cooldownParams, cooldownText } from './cooldown.ts'
import { ChannelName, nameWidth } from './route-tier.tsx'

export function PassedOverChannels({ route }: { route: RoutePreview }) {
  const { t } = usePageContext()
  const { others, others_total } = route
  const near = others.filter(channel => !isUnlisted(channel))
  const unlisted = others.filter(isUnlisted)
  const folded = t('route.unlisted_others', { count: unlisted.length })
  return (
    <section className="route-tier">
      <div className="figure-head">
        <h2>
          {t('route.others')} <small>{grouped(others_total)}</small>
        </h2>
      </div>
      {near.length > 0 && <Channels label={t('route.others')} rows={near} route={route} />}
      {unlisted.length > 0 && (
        <details className="mt-4">
          <summary className="help cursor-pointer">{folded}</summary>
          <Channels label={folded} rows={unlisted} route={route} />
        </details>
      )}
      {others_total > others.length && (
        <p className="help">{t('route.more', { count: others_total - others.length })}</p>
      )}
    </section>
  )
}

const isUnlisted = ({ obstacles }: PassedOver) => obstacles.some(({ code }) => code === 'not_listed')

function Channels({ label, rows, route }: { label: string; rows: PassedOver[]; route: RoutePreview }) {
  const { t } = usePageContext()
  const columns: Column<PassedOver>[] = [
    {
      id: 'name',
      head: t('route.channel'),
      phone: 'title',
      className: nameWidth,
      cell: channel => <ChannelName of={channel} />,
    },
    { id: 'why', head: t('route.why'), phone: 'detail', cell: channel => <Reasons of={channel} route={route} /> },
    { id: 'priority', head: t('route.priority_head'), number: true, optional: true, cell: ({ priority }) => priority },
  ]
  return (
    <Table label={label} columns={columns} rows={rows} keyOf={({ id }) => id} nameOf={({ name }) => name} dense tall />
  )
}

function Reasons({ of: { obstacles }, route }: { of: PassedOver; route: RoutePreview }) {
  const { t } = usePageContext()
  return (
    <span className={`block whitespace-normal ${obstacles[0]?.model ? '' : 'first-letter:uppercase'}`}>
      {obstacles.map((obstacle, index) => (
        <span key={obstacle.code}>
          {index > 0 && ' · '}
          {textOf(obstacle, route, t)}
          {obstacle.at !== undefined && (
            <>
              {' '}
              · <Ago at={obstacle.at} />
            </>
          )}
        </span>
      ))}
    </span>
  )
}

function textOf(
  { code, reason = '', seconds = 0, scope = 'channel', model, limit = 0 }: Obstacle,
  { group, operation }: RoutePreview,
  t: Translate,
): string {
  if (code === 'cooling') return cooldownText({ reason, seconds, scope, model }, t)
  return t(`route.${code}`, {
    group,
    operation: t(`route.operation_${operation}`),
    reason: cooldownParams({ reason, seconds }, t).reason,
    count: grouped(limit),
  })
}
