/** Key figures of a channel. */
import { Chip, Chips } from '../../client/components/badge.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { balanceText } from '../../src/billing/quota.ts'
import { DURATIONS_MAX, type Percentiles } from '../../src/contracts/channel-report.ts'
import { grouped, short } from '../../src/pure/number.ts'
import { seconds } from '../../src/pure/time.ts'
import type { ChannelReport } from './report-view.ts'
import { shareText } from './share-text.ts'

const NONE = '—'

export function ReportFigures({ report }: { report: ChannelReport }) {
  const { t, currency } = usePageContext()
  const { sums, durations, traffic, used_quota, balance, id } = report
  const attempts = sums.calls + sums.failed
  const own = traffic.rows.find(row => row.id === id)?.calls ?? 0
  const measured =
    durations.calls >= DURATIONS_MAX
      ? t('report.latest', { count: grouped(durations.calls) })
      : t('report.measured', { count: durations.calls })
  return (
    <Chips>
      <Chip
        label={t('report.success')}
        value={attempts ? `${(Math.floor((sums.calls / attempts) * 1000) / 10).toFixed(1)}%` : NONE}
        small={t('report.attempts', { count: short(attempts) })}
      />
      <Chip label={t('report.duration')} value={pair(durations.whole)} small={measured} />
      <Chip label={t('report.first_token')} value={pair(durations.first)} />
      <Chip label={t('report.share')} value={traffic.calls ? shareText(own / traffic.calls) : NONE} />
      <Chip
        label={t('report.spent')}
        value={balanceText(sums.quota, currency)}
        small={t('report.spent_ever', { amount: balanceText(used_quota, currency) })}
      />
      {balance && <Chip label={t('report.balance')} value={balance.amount.toFixed(2)} />}
    </Chips>
  )
}

/** `0.82 / 3.1 s` */
const pair = (of: Percentiles | undefined) => (of ? `${seconds(of.p50 / 1000)} / ${seconds(of.p95 / 1000)} s` : NONE)
