/** The dashboard: figures, spending by model, calls, and who and what spent most. */
import type { ReactNode } from 'react'
import { Empty } from '../../client/components/empty.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { At } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { callsAt } from './calls.ts'
import { CallsChart } from './calls-chart.tsx'
import { colourOf, OTHER_COLOUR } from './colours.ts'
import { Controls, type ControlsProps } from './controls.tsx'
import { Explorer, ExplorerExport } from './explorer.tsx'
import { KeyFigures } from './key-figures.tsx'
import { timeIn } from './labels.ts'
import { Ranking } from './ranking.tsx'
import { type SpendFigure, spendOf } from './spend.ts'
import { SpendChart } from './spend-chart.tsx'
import { type DashboardFigures, type DashboardView, dashboardAt, type ExplorerFigures } from './view.ts'

export interface DashboardProps extends ControlsProps {
  figures: DashboardFigures
  /** In the place of charts. */
  explored?: ExplorerFigures
  /** Minutes between two refreshes. */
  refresh_minutes: number
  /** In the place of charts, before the first call. */
  first?: ReactNode
}

export function Dashboard(props: DashboardProps) {
  const { t } = usePageContext()
  return (
    <>
      <PageHead title={t('dashboard.title')}>
        <Controls view={props.view} grains={props.grains} columns={props.columns} person={props.person} />
      </PageHead>
      <DashboardBody {...props} />
    </>
  )
}

const MINUTE_SECONDS = 60

/** Everything below the head; it replaces itself in place. A navigation ends a refresh that is on its way. */
export function DashboardBody({ view, figures, explored, refresh_minutes, first }: DashboardProps) {
  const { t, now } = usePageContext()
  const begin = timeIn(figures.periods[0]!.from)
  return (
    <div
      id="dashboard"
      hx-get={dashboardAt(view)}
      hx-trigger={`every ${refresh_minutes * MINUTE_SECONDS}s`}
      hx-swap="outerMorph"
      hx-sync="#main:drop"
    >
      <KeyFigures view={view} figures={figures} />
      {first ?? <Content view={view} figures={figures} explored={explored} />}
      <p className="help mt-6 mb-0">
        {t('dashboard.updated')} <At at={now} show="clock" />
        <span className="script-only"> · {t('dashboard.refresh', { count: refresh_minutes })}</span>
        {begin !== '00:00' && ` · ${t('dashboard.shifted', { time: begin })}`}
      </p>
    </div>
  )
}

function Content({ view, figures, explored }: Pick<DashboardProps, 'view' | 'figures' | 'explored'>) {
  const { t } = usePageContext()
  if (!figures.sums.calls && !figures.failed) return <Nothing view={view} />
  if (!explored) return <Charts view={view} figures={figures} />
  return (
    <section className="explorer">
      <div className="figure-head">
        <h2>
          {t('dashboard.usage')} <small>{t(`dashboard.range_${view.range}`)}</small>
        </h2>
        <ExplorerExport view={view} />
        <Switch view={view} />
      </div>
      <Explorer view={view} figures={figures} explored={explored} />
    </section>
  )
}

function Charts({ view, figures }: Pick<DashboardProps, 'view' | 'figures'>) {
  const { t, currency } = usePageContext()
  const passed = figures.periods.filter(({ minutes }) => minutes > 0)
  const spend = spendOf(figures, t('dashboard.other'))
  const colours = new Map(spend.series.map(({ name, colour }) => [name, colour]))
  const per = t(`dashboard.each_${view.by}`)
  const [models, ...others] = figures.rankings
  return (
    <div className="dashboard-grid">
      <Figure
        title={t('dashboard.spend_by_model')}
        small={t(currency.display_in_currency ? 'dashboard.usd_per' : 'dashboard.quota_per', { unit: per })}
        view={view}
        switches
      >
        <Legend spend={spend} figures={figures} />
        <SpendChart view={view} spend={spend} periods={figures.periods} />
      </Figure>
      <Figure title={t('dashboard.where')} small={t(`dashboard.range_${view.range}`)} half>
        <Ranking view={view} ranking={models!} figures={figures} colours={colours} />
      </Figure>
      <Figure title={t('dashboard.calls')} small={t('dashboard.calls_per', { unit: per })} view={view} half>
        <CallsChart view={view} periods={passed} />
      </Figure>
      {others.map(ranking => (
        <Figure
          key={ranking.by}
          title={t(`dashboard.by_${ranking.by}`)}
          small={t(`dashboard.range_${view.range}`)}
          half
        >
          <Ranking view={view} ranking={ranking} figures={figures} />
        </Figure>
      ))}
    </div>
  )
}

interface FigureProps {
  title: string
  small: string
  /** Takes half of the width. */
  half?: boolean
  /** Has the switch between chart and table. */
  switches?: boolean
  view?: DashboardView
  children: ReactNode
}

const Figure = ({ title, small, half, switches, view, children }: FigureProps) => (
  <section className={half ? 'half' : undefined}>
    <div className="figure-head">
      <h2>
        {title} <small>{small}</small>
      </h2>
      {switches && view && <Switch view={view} />}
    </div>
    {children}
  </section>
)

function Switch({ view }: { view: DashboardView }) {
  const { t } = usePageContext()
  return (
    <nav className="segments" aria-label={t('dashboard.show_as')}>
      {(['chart', 'table'] as const).map(as => (
        <PageLink key={as} href={dashboardAt({ ...view, as })} aria-current={view.as === as ? 'true' : undefined}>
          {t(`dashboard.as_${as}`)}
        </PageLink>
      ))}
    </nav>
  )
}

/** Each model leads to its calls. */
function Legend({ spend, figures }: { spend: SpendFigure; figures: DashboardFigures }) {
  const { zone } = usePageContext()
  return (
    <ul className="legend">
      {spend.series.map(({ name, colour }) => (
        <li key={name}>
          <i className="swatch" style={{ background: colourOf(colour) }} />
          {colour === OTHER_COLOUR ? (
            name
          ) : (
            <PageLink className="hover:underline" href={callsAt(figures, 'model', { key: name, name }, zone)}>
              {name}
            </PageLink>
          )}
        </li>
      ))}
    </ul>
  )
}

function Nothing({ view }: { view: DashboardView }) {
  const { t } = usePageContext()
  const wider = view.range === 'today' || view.range === 'yesterday' ? '7d' : '90d'
  return (
    <Empty drawing="slip" text={t('dashboard.nothing')}>
      {view.range !== '90d' && (
        <PageLink className="btn" href={dashboardAt({ ...view, range: wider })}>
          {t(`dashboard.show_${wider}`)}
        </PageLink>
      )}
    </Empty>
  )
}
