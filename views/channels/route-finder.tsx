/** The route finder page: its question, and the channels that a call tries. */

import { Empty } from '../../client/components/empty.tsx'
import { ErrorText } from '../../client/components/field.tsx'
import { PickSelect, PickText, Sentence } from '../../client/components/filters.tsx'
import { PageLink, viewRequest } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { PickName } from '../../client/components/picker.tsx'
import { CHANNELS_PATH } from '../../src/contracts/channel.ts'
import { DEFAULT_GROUP } from '../../src/contracts/pricing.ts'
import type { PricedRoutePreview } from '../../src/contracts/route-preview.ts'
import { ROUTES_PATH } from '../../src/contracts/route-preview.ts'
import { PassedOverChannels } from './passed-over.tsx'
import { RouteTier } from './route-tier.tsx'
import { type RouteView, routesAt } from './route-view.ts'
import { PRICES_PATH } from './view.ts'

interface RouteFinderProps {
  view: RouteView
  groups: string[]
  /** Absent until a model is chosen. */
  route?: PricedRoutePreview
  error?: string
}

export function RouteFinder({ view, groups, route, error }: RouteFinderProps) {
  const { t } = usePageContext()
  return (
    <>
      <PageHead title={t('route.title')}>
        <PageLink className="btn" href={CHANNELS_PATH}>
          {t('channel.title')}
        </PageLink>
      </PageHead>
      <Choice view={view} groups={groups} />
      {error && <ErrorText>{error}</ErrorText>}
      {route ? <Found route={route} /> : !error && <Empty drawing="slip" text={t('route.start')} />}
    </>
  )
}

function Choice({ view, groups }: Pick<RouteFinderProps, 'view' | 'groups'>) {
  const { t } = usePageContext()
  const controls = {
    model: (
      <PickName
        of="models"
        id="route-model"
        name="model"
        label={t('route.model')}
        any={t('route.choose')}
        value={view.model}
      />
    ),
    group: (
      <PickSelect
        name="group"
        label={t('route.group')}
        options={groups.map(name => ({ value: name, label: name }))}
        value={view.group ?? DEFAULT_GROUP}
      />
    ),
    input_tokens: (
      <PickText
        name="input_tokens"
        label={t('route.input_tokens')}
        any={t('route.any_length')}
        value={view.input_tokens}
      />
    ),
  }
  return (
    <form
      className="sentence mb-5"
      method="get"
      action={ROUTES_PATH}
      {...viewRequest(ROUTES_PATH)}
      hx-trigger="change, submit"
    >
      <Sentence text={t('route.sentence')} controls={controls} />
      <noscript>
        <button type="submit" className="btn btn-sm">
          {t('ui.show')}
        </button>
      </noscript>
    </form>
  )
}

const RETRIES_PATH = '/admin/settings?tab=operation'

function Found({ route }: { route: PricedRoutePreview }) {
  const { t } = usePageContext()
  const { tiers, trial, operation, attempts_max } = route
  const tested = route.others.find(({ id }) => id === trial)
  return (
    <>
      <Notes route={route} />
      {tested && <p className="note warning m-0 mb-5">{t('route.trial', { name: tested.name })}</p>}
      {route.listed && !tiers.length && !tested && <p className="note error m-0 mb-5">{t('route.none_open')}</p>}
      {tiers.map((tier, index) => (
        <RouteTier key={tier.priority} tier={tier} when={whenTried(route, index)} model={route.model} />
      ))}
      {tiers.length > 0 && (
        <p className="help mt-0 mb-8">
          {t('route.attempts', { count: attempts_max, operation: t(`route.operation_${operation}`) })}{' '}
          {t('route.retries', { count: attempts_max - 1 })} —{' '}
          <a className="underline" href={RETRIES_PATH}>
            {t('route.change')}
          </a>
        </p>
      )}
      {route.others.length > 0 && <PassedOverChannels route={route} />}
    </>
  )
}

/** Failed attempts at the channels above may have used up those of the call. */
function whenTried({ tiers, attempts_max }: PricedRoutePreview, index: number) {
  if (index === 0) return 'first'
  const above = tiers.slice(0, index).reduce((sum, { steps }) => sum + steps.length, 0)
  return above < attempts_max ? 'then' : 'spare'
}

/** What refuses the call before any channel is tried. */
function Notes({ route: { group, model, input_tokens, listed, near, priced } }: { route: PricedRoutePreview }) {
  const { t } = usePageContext()
  if (!listed) {
    return (
      <div className="note error mb-5">
        <span>
          {t('route.unlisted', { group, model })}
          {near.length > 0 && ` ${t('route.near')} `}
          {near.map((name, index) => (
            <span key={name}>
              {index > 0 && ' · '}
              <PageLink
                href={routesAt({ group, model: name, input_tokens: input_tokens?.toString() })}
                className="underline"
              >
                {name}
              </PageLink>
            </span>
          ))}
        </span>
      </div>
    )
  }
  if (priced) return null
  return (
    <div className="note warning mb-5">
      <span>
        {t('route.unpriced')}{' '}
        <a className="underline" href={PRICES_PATH}>
          {t('route.set_price')}
        </a>
      </span>
    </div>
  )
}
