/** A channel's report: the last days by hour, durations, state, keys, errors, share of traffic, disablings. */
import type { ReactNode } from 'react'
import { State, type StateTone } from '../../client/components/badge.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { CHANNELS_PATH, ChannelStatus } from '../../src/contracts/channel.ts'
import { REPORT_DAYS } from '../../src/contracts/channel-report.ts'
import { LogType } from '../../src/contracts/log.ts'
import { nameIn } from '../../src/locales/makers.ts'
import { logsAt } from '../logs/view.ts'
import { AutoDisabledNote, CooldownNote, stateName } from './channel-state.tsx'
import { historyAt } from './history-view.ts'
import { HoursChart } from './hours-chart.tsx'
import { HoursTable } from './hours-table.tsx'
import { LimitMeters } from './limit-meters.tsx'
import { ReportFigures } from './report-figures.tsx'
import { Errors, Events, KeyList } from './report-lists.tsx'
import { TrafficShares } from './report-traffic.tsx'
import type { ChannelReport } from './report-view.ts'
import { type ReportView, reportAt } from './route-view.ts'
import { channelsAt } from './view.ts'

interface ReportProps {
  report: ChannelReport
  view: ReportView
}

export function ChannelReportPage({ report, view }: ReportProps) {
  const { t, language } = usePageContext()
  const { id, name, label } = report
  const state = { ...report, view: {} }
  return (
    <>
      <PageHead title={name} small={<span className="whitespace-nowrap">{`#${id} · ${nameIn(language, label)}`}</span>}>
        <PageLink className="btn max-sm:hidden" href={CHANNELS_PATH}>
          {t('report.all_channels')}
        </PageLink>
        <PageLink className="btn" href={historyAt(id)}>
          {t('history.open')}
        </PageLink>
        <a className="btn max-sm:hidden" href={logsAt({ channel: id })}>
          {t('channel.usage')}
        </a>
        <PageLink className="btn btn-primary" href={channelsAt({}, { edit: id })}>
          {t('channel.edit')}
        </PageLink>
      </PageHead>
      <p className="mt-0 mb-4">
        <State tone={toneOf(report)}>{t(isCooling(report) ? 'channel.cooling' : stateName(report))}</State>
      </p>
      <AutoDisabledNote {...state} />
      <CooldownNote {...state} />
      <ReportFigures report={report} />
      <div className="dashboard-grid report-grid">
        <Calls report={report} view={view} />
        <Figure title={t('report.traffic')} small={t('report.traffic_note', { count: REPORT_DAYS })}>
          <TrafficShares of={report} />
          <KeyList keys={report.keys} />
        </Figure>
        {report.limits.length > 0 && (
          <Figure title={t('report.limits')} small={t('report.limits_note')}>
            <LimitMeters limits={report.limits} />
          </Figure>
        )}
        <Figure
          title={t('report.errors')}
          small={
            <a className="underline" href={logsAt({ channel: id, type: LogType.error })}>
              {t('report.all_errors')}
            </a>
          }
        >
          <Errors of={report} />
        </Figure>
        <Figure title={t('report.events')}>
          <Events of={report} />
        </Figure>
      </div>
    </>
  )
}

const isCooling = ({ status, cooldown }: ChannelReport) => status === ChannelStatus.enabled && cooldown !== undefined

function toneOf(report: ChannelReport): StateTone {
  if (isCooling(report)) return 'limited'
  if (report.status === ChannelStatus.enabled) return 'open'
  return report.status === ChannelStatus.autoDisabled ? 'stopped' : 'fact'
}

function Calls({ report: { id, periods }, view: { as } }: ReportProps) {
  const { t } = usePageContext()
  const links = [
    { name: t('dashboard.as_chart'), href: reportAt(id), isShown: !as },
    { name: t('dashboard.as_table'), href: reportAt(id, { as: 'table' }), isShown: as === 'table' },
  ]
  const choice = (
    <nav className="segments" aria-label={t('dashboard.show_as')}>
      {links.map(({ name, href, isShown }) => (
        <PageLink key={href} href={href} aria-current={isShown ? 'true' : undefined}>
          {name}
        </PageLink>
      ))}
    </nav>
  )
  return (
    <Figure title={t('dashboard.calls')} small={t('report.days', { count: REPORT_DAYS })} choice={choice}>
      {as ? <HoursTable periods={periods} /> : <HoursChart periods={periods} />}
    </Figure>
  )
}

interface FigureProps {
  title: string
  small?: ReactNode
  choice?: ReactNode
  children: ReactNode
}

const Figure = ({ title, small, choice, children }: FigureProps) => (
  <section className="half">
    <div className="figure-head">
      <h2>
        {title} {small !== undefined && <small>{small}</small>}
      </h2>
      {choice}
    </div>
    {children}
  </section>
)
