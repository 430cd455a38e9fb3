/** A channel's history: up to 90 days by hour or day, models, errors by kind, cooldowns and closings with their causes. */
import type { ReactNode } from 'react'
import { Chip, Chips } from '../../client/components/badge.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { shareText as roundedDown } from '../../src/contracts/availability.ts'
import { HISTORY_DAYS, HISTORY_RANGES } from '../../src/contracts/channel-history.ts'
import { grouped, short } from '../../src/pure/number.ts'
import { seconds } from '../../src/pure/time.ts'
import { Events, Failures } from './history-lists.tsx'
import { Models } from './history-models.tsx'
import { HistoryTable, percentilesText } from './history-table.tsx'
import { type ChannelHistory, type HistoryView, historyAt, successIn } from './history-view.ts'
import { HoursChart } from './hours-chart.tsx'
import { reportAt } from './route-view.ts'

interface HistoryProps {
  history: ChannelHistory
  view: HistoryView
}

export function ChannelHistoryPage({ history, view }: HistoryProps) {
  const { t } = usePageContext()
  const { id, name } = history
  return (
    <>
      <PageHead title={t('history.title', { name })} small={`#${id}`}>
        <PageLink className="btn" href={reportAt(id)}>
          {t('report.open')}
        </PageLink>
      </PageHead>
      <Controls history={history} view={view} />
      <Figures history={history} />
      <div className="dashboard-grid report-grid">
        <Part
          title={t('history.attempts')}
          small={t(history.grain === 'hour' ? 'history.by_hour' : 'history.by_day')}
          choice={<ShowAs history={history} view={view} />}
          isWide
        >
          {view.as ? <HistoryTable history={history} view={view} /> : <Chart history={history} />}
        </Part>
        <Part title={t('history.models')} isWide>
          <Models history={history} view={view} />
        </Part>
        <Part title={t('history.failures')}>
          <Failures of={history.sum} />
        </Part>
        <Part title={t('history.events')}>
          <Events of={history.events} />
        </Part>
      </div>
    </>
  )
}

function Controls({ history: { id }, view }: HistoryProps) {
  const { t } = usePageContext()
  const { days = HISTORY_DAYS, day, model, as } = view
  return (
    <div className="history-controls">
      <nav className="segments" aria-label={t('history.range')}>
        {HISTORY_RANGES.map(count => (
          <PageLink
            key={count}
            href={historyAt(id, { as, model, days: count === HISTORY_DAYS ? undefined : count })}
            aria-current={!day && count === days ? 'true' : undefined}
          >
            {t('history.last_days', { count })}
          </PageLink>
        ))}
        {day && (
          <PageLink href={historyAt(id, view)} aria-current="true">
            {day}
          </PageLink>
        )}
      </nav>
      {model && (
        <PageLink className="btn btn-sm" href={historyAt(id, { ...view, model: undefined })}>
          {t('history.of_model', { model })} ×
        </PageLink>
      )}
    </div>
  )
}

function Figures({ history: { sum, events } }: { history: ChannelHistory }) {
  const { t } = usePageContext()
  const timesOf = (...kinds: string[]) =>
    events.reduce((all, { event, times }) => (kinds.includes(event) ? all + times : all), 0)
  const cooled_ms = events.reduce((all, { ms }) => all + ms, 0)
  const share = successIn(sum)
  const reopened = timesOf('reopened')
  return (
    <Chips>
      <Chip
        label={t('history.attempts')}
        value={short(sum.succeeded + sum.failed)}
        small={t('history.attempts_of', { count: grouped(sum.failed) })}
      />
      <Chip label={t('history.success')} value={share === undefined ? '—' : roundedDown(share)} />
      <Chip
        label={t('history.first_token')}
        value={percentilesText(sum.first)}
        small={t('history.streamed', { count: short(sum.streamed) })}
      />
      <Chip
        label={t('history.cooldowns')}
        value={grouped(timesOf('cooldown'))}
        small={cooled_ms > 0 && t('history.cooled', { time: t('time.seconds', { value: seconds(cooled_ms / 1000) }) })}
      />
      <Chip
        label={t('history.closings')}
        value={grouped(timesOf('closed', 'key_closed'))}
        small={reopened > 0 && t('history.reopened', { count: grouped(reopened) })}
      />
    </Chips>
  )
}

function ShowAs({ history: { id }, view }: HistoryProps) {
  const { t } = usePageContext()
  const links = [
    { name: t('dashboard.as_chart'), href: historyAt(id, { ...view, as: undefined }), isShown: !view.as },
    { name: t('dashboard.as_table'), href: historyAt(id, { ...view, as: 'table' }), isShown: view.as === 'table' },
  ]
  return (
    <nav className="segments" aria-label={t('dashboard.show_as')}>
      {links.map(({ name, href, isShown }) => (
        <PageLink key={href} href={href} aria-current={isShown ? 'true' : undefined}>
          {name}
        </PageLink>
      ))}
    </nav>
  )
}

function Chart({ history: { periods, grain } }: { history: ChannelHistory }) {
  const { t } = usePageContext()
  if (!periods.some(({ succeeded, failed }) => succeeded + failed))
    return <p className="help">{t('history.no_attempts')}</p>
  const shown = periods.map(({ start, from, until, succeeded, failed }) => ({
    ...{ start, from, until, failed, calls: succeeded },
    ...{ end: start, minutes: 0, models: new Map() },
  }))
  return <HoursChart periods={shown} grain={grain} isWide />
}

interface PartProps {
  title: string
  small?: ReactNode
  choice?: ReactNode
  isWide?: boolean
  children: ReactNode
}

const Part = ({ title, small, choice, isWide, children }: PartProps) => (
  <section className={isWide ? undefined : 'half'}>
    <div className="figure-head">
      <h2>
        {title} {small !== undefined && <small>{small}</small>}
      </h2>
      {choice}
    </div>
    {children}
  </section>
)
