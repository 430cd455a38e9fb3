/** Groups and models of a call in the order in which they are tried, and why those that are passed over would be. */
import { State } from '../../client/components/badge.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PagePart } from '../../client/components/page-part.tsx'
import type { PricedRoutePreview } from '../../src/contracts/route-preview.ts'
import { routesAt } from './route-view.ts'

/** Nothing where the call goes nowhere else. */
export function RouteFallbacks({ route: { fallbacks, input_tokens } }: { route: PricedRoutePreview }) {
  const { t } = usePageContext()
  if (fallbacks.length < 2) return null
  const serving = fallbacks.findIndex(({ why }) => !why)
  return (
    <PagePart title={t('route.fallbacks')} small={t('route.fallbacks_note')}>
      <ol className="report-list">
        {fallbacks.map(({ group, model, why }, at) => (
          <li key={`${group} ${model}`}>
            <span className="what">
              <PageLink
                href={routesAt({ group, model, input_tokens: input_tokens?.toString() })}
                className="mono hover:underline"
              >
                {model}
              </PageLink>{' '}
              · {group}
            </span>{' '}
            <State tone={why ? 'limited' : 'open'}>
              {why ? t(`log.passed_${why}`) : t(at === serving ? 'route.serves' : 'route.waits')}
            </State>
          </li>
        ))}
      </ol>
    </PagePart>
  )
}
