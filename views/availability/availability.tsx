/** The public status page: each model's availability and time to first token over 90 days, without any count. */
import type { ReactNode } from 'react'
import { State, type StateTone } from '../../client/components/badge.tsx'
import { Empty, NoMatch } from '../../client/components/empty.tsx'
import { Search } from '../../client/components/filters.tsx'
import { HealthBars } from '../../client/components/health-bars.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { Seconds } from '../../client/components/seconds.tsx'
import {
  AVAILABILITY_DAYS,
  DEGRADED_SHARE,
  GOOD_SHARE,
  type Health,
  shareText,
  successOf,
} from '../../src/contracts/availability.ts'
import { type DayNumber, dateOf } from '../../src/pure/periods.ts'
import { type AvailabilityView, availabilityAt, type ModelStatus } from './view.ts'

interface AvailabilityProps {
  view: AvailabilityView
  /** Those that the view names and shows. */
  models: ModelStatus[]
  /** Named ones, with those that are not shown. */
  count: number
  /** All. */
  total: number
  /** Models of the site by their health in the last 24 hours. */
  healths: Record<Health, number>
  /** First day of the strips. */
  first: DayNumber
}

export function Availability(props: AvailabilityProps) {
  const { view, total } = props
  const { t } = usePageContext()
  return (
    <div className="public availability">
      <PageHead title={t('availability.title')} small={t('availability.days', { count: AVAILABILITY_DAYS })} />
      <Summary {...props} />
      <p className="help max-w-prose">{t('availability.explanation')}</p>
      <Legend />
      {total > SEARCH_FROM && (
        <div className="mt-4">
          <Search
            action={availabilityAt({})}
            value={view.keyword}
            placeholder={t('availability.search', { count: total })}
          />
        </div>
      )}
      <Models {...props} />
    </div>
  )
}

/** Models from which a search helps. */
const SEARCH_FROM = 12

const tones: Record<Health, StateTone> = { good: 'open', degraded: 'limited', failing: 'stopped', idle: 'fact' }

function Summary({ healths: { failing, degraded, good } }: AvailabilityProps) {
  const { t } = usePageContext()
  const worst: Health = failing ? 'failing' : degraded ? 'degraded' : good ? 'good' : 'idle'
  const text = {
    failing: t('availability.some_failing', { count: failing }),
    degraded: t('availability.some_degraded', { count: degraded }),
    good: t('availability.all_good'),
    idle: t('availability.all_idle'),
  }[worst]
  return (
    <p className="availability-now">
      <State tone={tones[worst]}>{text}</State>
    </p>
  )
}

const PER_CENT = 100

function Legend() {
  const { t } = usePageContext()
  const [good, fair] = [GOOD_SHARE * PER_CENT, DEGRADED_SHARE * PER_CENT]
  const examples: [string, { succeeded: number; failed: number }][] = [
    [t('availability.legend_good', { good }), { succeeded: 1, failed: 0 }],
    [t('availability.legend_degraded', { good, fair }), { succeeded: 1, failed: 1 }],
    [t('availability.legend_failing', { fair }), { succeeded: 0, failed: 1 }],
    [t('availability.legend_idle'), { succeeded: 0, failed: 0 }],
  ]
  return (
    <ul className="availability-legend">
      {examples.map(([text, outcomes]) => (
        <li key={text}>
          <span aria-hidden="true">
            <HealthBars spans={[outcomes]} label={text} />
          </span>
          {text}
        </li>
      ))}
    </ul>
  )
}

function Models({ view, models, count, total, first }: AvailabilityProps) {
  const { t } = usePageContext()
  if (!total) return <Empty text={t('availability.none')} />
  if (!models.length)
    return (
      <NoMatch text={t('availability.none_match')} all={availabilityAt({})}>
        {t('availability.show_all')}
      </NoMatch>
    )
  return (
    <>
      <ul className="availability-list">
        {models.map(model => (
          <Model key={model.name} model={model} first={first} />
        ))}
      </ul>
      {count > models.length && (
        <p className="mt-4">
          <PageLink className="btn" href={availabilityAt({ ...view, all: '1' })}>
            {t('availability.show_rest', { count: count - models.length })}
          </PageLink>
        </p>
      )}
    </>
  )
}

function Model({ model: { name, now, days, total, first_token_ms }, first }: { model: ModelStatus; first: DayNumber }) {
  const { t } = usePageContext()
  const success = successOf(total)
  const share = success === undefined ? '—' : shareText(success)
  const words = wordsOf(days, first)
  return (
    <li id={`model-${name}`}>
      <h2 title={name}>{name}</h2>
      <span className="availability-state">
        <State tone={tones[now]}>{t(`availability.${now}`)}</State>
      </span>
      <HealthBars
        wide
        spans={days}
        label={[t('availability.strip', { name, share, count: AVAILABILITY_DAYS }), ...words].join('; ')}
        titleOf={index => titleOf(index)}
      />
      <p className="availability-days">
        <span>{dateOf(first)}</span>
        <span>{words.join(' · ')}</span>
        <span>{t('availability.today')}</span>
      </p>
      <Fact area="available" label={t('availability.available')}>
        {share}
      </Fact>
      <Fact area="first" label={t('availability.first_token')}>
        {first_token_ms === undefined ? '—' : <Seconds ms={first_token_ms} />}
      </Fact>
    </li>
  )

  function titleOf(index: number) {
    const share = successOf(days[index]!)
    const date = dateOf(first + index)
    return share === undefined ? t('availability.day_of_few', { date }) : `${date}: ${shareText(share)}`
  }

  /** Days without calls, and the worst of the others. */
  function wordsOf(spans: ModelStatus['days'], start: DayNumber): string[] {
    const idle = spans.filter(({ succeeded, failed }) => !(succeeded + failed)).length
    const shares = spans.map(span => successOf(span) ?? 1)
    const lowest = Math.min(...shares)
    const date = dateOf(start + shares.indexOf(lowest))
    return [
      ...(idle ? [t('availability.idle_days', { count: idle })] : []),
      ...(lowest < GOOD_SHARE ? [t('availability.lowest', { share: shareText(lowest), date })] : []),
    ]
  }
}

const Fact = ({ area, label, children }: { area: 'available' | 'first'; label: string; children: ReactNode }) => (
  <span className={`availability-fact ${area}`}>
    <b>{children}</b>
    <small>{label}</small>
  </span>
)
