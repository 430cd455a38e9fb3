/** Why a call does not try a channel, and the channels without its model. */
import { PageLink } from '../../client/components/link.tsx'
import { Maker } from '../../client/components/maker.tsx'
import { Ago } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Obstacle, PassedOver, RoutePreview } from '../../src/contracts/route-preview.ts'
import type { Translate } from '../../src/locales/index.ts'
import { grouped } from '../../src/pure/number.ts'
import { cooldownParams, cooldownText } from './cooldown.ts'
import { reportAt } from './route-view.ts'

/** Folded: a channel without the model is seldom what one looks for. */
export function WithoutModel({ channels, total }: { channels: PassedOver[]; total: number }) {
  const { t } = usePageContext()
  return (
    <details className="explanation mb-6">
      <summary>{t('route.without_model', { count: total, number: grouped(total) })}</summary>
      <ul className="route-without">
        {channels.map(({ id, name, label }) => (
          <li key={id}>
            <PageLink href={reportAt(id)} className="hover:underline">
              {name}
            </PageLink>{' '}
            <small>
              #{id} · <Maker of={label} />
            </small>
          </li>
        ))}
      </ul>
      {total > channels.length && <p className="help">{t('route.more', { count: total - channels.length })}</p>}
    </details>
  )
}

export function Reasons({ of: { obstacles }, route }: { of: PassedOver; route: RoutePreview }) {
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
  if (code === 'budget' || code === 'budget_spent')
    return t(`route.${code}`, { name: reason, seconds: grouped(seconds) })
  if (code === 'cooling') return cooldownText({ reason, seconds, scope, model }, t)
  return t(`route.${code}`, {
    group,
    operation: t(`route.operation_${operation}`),
    reason: cooldownParams({ reason, seconds }, t).reason,
    count: grouped(limit),
    seconds,
  })
}
