/** The channels that a call does not try, each with the reasons. */
import { Ago } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { Obstacle, PassedOver, RoutePreview } from '../../src/contracts/route-preview.ts'
import type { Translate } from '../../src/locales/index.ts'
import { grouped } from '../../src/pure/number.ts'
import { cooldownParams, cooldownText } from './cooldown.ts'
import { ChannelName } from './route-tier.tsx'

export function PassedOverChannels({ route }: { route: RoutePreview }) {
  const { t } = usePageContext()
  const { others, others_total } = route
  const columns: Column<PassedOver>[] = [
    { id: 'name', head: t('route.channel'), phone: 'title', cell: channel => <ChannelName of={channel} /> },
    { id: 'why', head: t('route.why'), phone: 'detail', cell: channel => <Reasons of={channel} route={route} /> },
    { id: 'priority', head: t('route.priority_head'), number: true, optional: true, cell: ({ priority }) => priority },
  ]
  return (
    <section className="route-tier">
      <div className="figure-head">
        <h2>
          {t('route.others')} <small>{grouped(others_total)}</small>
        </h2>
      </div>
      <Table
        label={t('route.others')}
        columns={columns}
        rows={others}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        dense
        tall
      />
      {others_total > others.length && (
        <p className="help">{t('route.more', { count: others_total - others.length })}</p>
      )}
    </section>
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
