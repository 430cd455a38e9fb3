/** Hours or days of a channel's history as a table. */
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { shareText as roundedDown } from '../../src/contracts/availability.ts'
import type { Percentiles } from '../../src/contracts/channel-report.ts'
import { grouped } from '../../src/pure/number.ts'
import { seconds } from '../../src/pure/time.ts'
import { nameOf } from '../dashboard/labels.ts'
import { type ChannelHistory, type HistoryPeriod, type HistoryView, historyAt, successIn } from './history-view.ts'

const NONE = '—'
const DATE_LENGTH = 'yyyy-mm-dd'.length

/** `0.82 / 3.1 s` */
export const percentilesText = (of: Percentiles | undefined): string =>
  of ? `${seconds(of.p50 / 1000)} / ${seconds(of.p95 / 1000)} s` : NONE

export const successText = (of: { succeeded: number; failed: number }): string => {
  const share = successIn(of)
  return share === undefined ? NONE : roundedDown(share)
}

/** It scrolls in its own frame, by the keyboard too. A day leads to its hours. */
export function HistoryTable({
  history: { id, periods, grain },
  view,
}: {
  history: ChannelHistory
  view: HistoryView
}) {
  const { t } = usePageContext()
  const heads = [t('history.served'), t('history.failed'), t('history.success'), t('history.first_token')]
  const hoursOf = ({ from }: HistoryPeriod) =>
    historyAt(id, { ...view, days: undefined, day: from.slice(0, DATE_LENGTH) })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="ledger-wrap scrolling" aria-label={t('history.attempts')} tabIndex={0}>
      <table className="ledger dense plain">
        <thead>
          <tr>
            <th scope="col">{t(grain === 'hour' ? 'dashboard.hour' : 'dashboard.day')}</th>
            {heads.map(head => (
              <th key={head} scope="col" className="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {periods.toReversed().map(period => (
            <tr key={period.start}>
              <th scope="row">
                {grain === 'day' ? (
                  <PageLink className="hover:underline" href={hoursOf(period)}>
                    {nameOf(period, 'day')}
                  </PageLink>
                ) : (
                  nameOf(period, 'hour')
                )}
              </th>
              <td className="number">{grouped(period.succeeded)}</td>
              <td className="number">{grouped(period.failed)}</td>
              <td className="number">{successText(period)}</td>
              <td className="number">{percentilesText(period.first)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
