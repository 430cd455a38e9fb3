/** The route finder page: its question, and the channels that a call tries. */

import { Empty } from '../../client/components/empty.tsx'
import { ErrorText } from '../../client/components/field.tsx'
import { PickSelect, PickText, Sentence } from '../../client/components/filters.tsx'
import { PageLink, viewRequest } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { PickName } from '../../client/components/picker.tsx'
import { SETTINGS_PATH } from '../../src/contracts/option.ts'
import { DEFAULT_GROUP } from '../../src/contracts/pricing.ts'
import type { PassedOver, PricedRoutePreview } from '../../src/contracts/route-preview.ts'
import { ROUTES_PATH } from '../../src/contracts/route-preview.ts'
import { WithoutModel } from './passed-over.tsx'
import { RouteFallbacks } from './route-fallbacks.tsx'
import { RouteTable } from './route-table.tsx'
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
      <PageHead title={t('route.title')} />
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
    key: <PickText name="key" label={t('route.key')} any={t('route.any_key')} value={view.key} />,
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

function Found({ route }: { route: PricedRoutePreview }) {
  const { t } = usePageContext()
  const { tiers, trial, others, others_total, unlisted_total } = route
  const tested = others.find(({ id }) => id === trial)
  const passed = others.filter(listsModel)
  const listing = others_total - unlisted_total
  return (
    <>
      <Notes route={route} />
      {tested && <p className="note warning m-0 mb-5">{t('route.trial', { name: tested.name })}</p>}
      {route.listed && !tiers.length && !tested && <p className="note error m-0 mb-5">{t('route.none_open')}</p>}
      {tiers.length + passed.length > 0 && <RouteTable route={route} passed={passed} />}
      {listing > passed.length && <p className="help">{t('route.more', { count: listing - passed.length })}</p>}
      {tiers.length > 0 && <Attempts route={route} />}
      {unlisted_total > 0 && (
        <WithoutModel channels={others.filter(other => !listsModel(other))} total={unlisted_total} />
      )}
      <RouteFallbacks route={route} />
    </>
  )
}

const listsModel = ({ obstacles }: PassedOver) => obstacles.every(({ code }) => code !== 'not_listed')

/** How many channels one call tries, and where that is set. */
function Attempts({ route: { operation, attempts_max } }: { route: PricedRoutePreview }) {
  const { t } = usePageContext()
  return (
    <p className="help mt-3 mb-6">
      {t('route.attempts', { count: attempts_max, operation: t(`route.operation_${operation}`) })}{' '}
      {t('route.retries', { count: attempts_max - 1 })}{' '}
      <a className="underline" href={`${SETTINGS_PATH}?tab=operation#field-RetryTimes`}>
        {t('route.change_retries')}
      </a>
    </p>
  )
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
