/** Key figures of the range, with the change against the range before. */
import { Chip, Chips } from '../../client/components/badge.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { balanceText } from '../../src/billing/quota.ts'
import type { UsageSums } from '../../src/contracts/dashboard.ts'
import type { Translate } from '../../src/locales/index.ts'
import { short } from '../../src/pure/number.ts'
import { rateText } from './rate.ts'
import { type DashboardFigures, type DashboardView, hitRate } from './view.ts'

export function KeyFigures({ view, figures }: { view: DashboardView; figures: DashboardFigures }) {
  const { t, currency } = usePageContext()
  const { sums, failed, minutes, balance, affinity } = figures
  const attempts = sums.calls + failed
  return (
    <Chips>
      {balance && (
        <Chip
          label={t('dashboard.balance')}
          value={balanceText(balance.quota, currency)}
          small={daysText(balance, t)}
        />
      )}
      <Chip
        label={t(view.range === 'today' ? 'dashboard.spent_today' : 'dashboard.spent')}
        value={balanceText(sums.quota, currency)}
        small={comparedText(
          changeOf(figures, ({ quota }) => quota),
          figures,
          view,
          t,
        )}
      />
      <Chip label={t('dashboard.calls')} value={short(sums.calls)} small={changeOf(figures, ({ calls }) => calls)} />
      <Chip label={t('dashboard.tokens')} value={short(tokensOf(sums))} small={changeOf(figures, tokensOf)} />
      <Chip label={t('dashboard.rpm')} value={rateText(sums.calls / minutes)} />
      <Chip label={t('dashboard.tpm')} value={rateText(tokensOf(sums) / minutes)} />
      {affinity && affinity.kept.calls > 0 && (
        <Chip
          label={t('dashboard.cache_hits')}
          value={percentText(hitRate(affinity.kept))}
          small={
            affinity.sample.calls > 0 &&
            t('dashboard.cache_without', { without: percentText(hitRate(affinity.sample)) })
          }
        />
      )}
      {affinity?.saved !== undefined && (
        <Chip label={t('dashboard.cache_saved')} value={balanceText(affinity.saved, currency)} />
      )}
      {!balance && (
        <Chip label={t('dashboard.success')} value={attempts ? `${successOf(sums.calls, attempts)}%` : '—'} />
      )}
    </Chips>
  )
}

const tokensOf = ({ prompt_tokens, completion_tokens }: UsageSums) => prompt_tokens + completion_tokens

/** Rounded down: 100 only without a failure. */
const successOf = (calls: number, attempts: number) => (Math.floor((calls / attempts) * 1000) / 10).toFixed(1)

const percentText = (share: number) => `${(Math.floor(share * 1000) / 10).toFixed(1)}%`

const DAYS_SHOWN_MAX = 999

function daysText({ days_left }: NonNullable<DashboardFigures['balance']>, t: Translate): string | undefined {
  if (days_left === undefined) return
  if (days_left > DAYS_SHOWN_MAX) return t('dashboard.days_many', { count: DAYS_SHOWN_MAX })
  return days_left < 1 ? t('dashboard.days_none') : t('dashboard.days_left', { count: Math.floor(days_left) })
}

const PER_CENT = 100

/** From here on the change is read better as a factor. */
const TIMES_MIN = 10

/** +8% · −12% · ±0% · ×19; nothing where there was nothing before. */
function changeOf({ comparison }: DashboardFigures, of: (sums: UsageSums) => number): string | undefined {
  if (!comparison) return
  const before = of(comparison.before)
  if (before <= 0) return
  const times = of(comparison.now) / before
  if (times >= TIMES_MIN) return `×${short(Math.round(times))}`
  const change = Math.round((times - 1) * PER_CENT)
  const sign = change > 0 ? '+' : change < 0 ? '−' : '±'
  return `${sign}${short(Math.abs(change))}%`
}

/** A change with what it compares. */
function comparedText(
  change: string | undefined,
  { comparison }: DashboardFigures,
  { range }: DashboardView,
  t: Translate,
): string | undefined {
  if (change === undefined) return
  return range === 'today'
    ? t('dashboard.vs_yesterday', { change })
    : t('dashboard.vs_days', { change, count: comparison!.days })
}
