/** Spending by model and period, as stacked bars. */
import { scaleBand } from 'd3-scale'
import { stack, stackOrderNone } from 'd3-shape'
import { usePageContext } from '../../client/components/page-context.tsx'
import { balanceText, type Currency, MONEY_SIGN, quotaText } from '../../src/billing/quota.ts'
import { short } from '../../src/pure/number.ts'
import { clock } from '../../src/pure/time.ts'
import { Axis, type Drawing, pixels, scaleOf, withRoomFor } from './axis.tsx'
import { Band, Chart } from './chart.tsx'
import { colourOf } from './colours.ts'
import { isOneDay, shortName, ticksOf } from './labels.ts'
import type { SpendFigure } from './spend.ts'
import type { DashboardView, Period } from './view.ts'

const wide: Drawing = { width: 1128, height: 280, left: 36, right: 1120, top: 12, bottom: 252, letter: 10 }
const phone: Drawing = { width: 358, height: 220, left: 36, right: 350, top: 12, bottom: 192, letter: 7 }

/** Rows of a tip before the total. */
const TIP_ROWS = 5

interface SpendChartProps {
  view: DashboardView
  spend: SpendFigure
  periods: Period[]
}

export function SpendChart({ view, spend, periods }: SpendChartProps) {
  const { t, currency } = usePageContext()
  const { series, rows } = spend
  const passed = periods.filter(({ minutes }) => minutes > 0)
  const amount = (quota: number) => quotaText(quota, currency, 6)
  const points = passed.map((period, index) => {
    const spent = rows[index]!.map((quota, at) => ({ at, quota })).filter(({ quota }) => quota > 0)
    const largest = spent.sort((one, other) => other.quota - one.quota).slice(0, TIP_ROWS)
    return {
      name: shortName(period, view.by, isOneDay(view, periods)),
      rows: largest.map(({ at, quota }): [number, string] => [at, amount(quota)]),
      total: amount(sum(rows[index]!)),
    }
  })
  const total = sum(rows.map(sum))
  const highest = rows.reduce((best, row, index) => (sum(row) > sum(rows[best]!) ? index : best), 0)
  return (
    <Chart
      title={t(`dashboard.spend_${view.by}`)}
      description={t('dashboard.spend_description', {
        total: balanceText(total, currency),
        period: points[highest]?.name ?? '',
        most: points[highest]?.total ?? '',
      })}
      series={series.map(({ name, colour }) => [colourOf(colour), name])}
      total={t('dashboard.total')}
      points={points}
      wide={wide}
      phone={phone}
    >
      {(drawing, isPhone) => (
        <Bars drawing={drawing} view={view} spend={spend} periods={isPhone ? passed : periods} showNow={!isPhone} />
      )}
    </Chart>
  )
}

const sum = (quotas: number[]) => quotas.reduce((total, quota) => total + quota, 0)

/** Width of a bar: a share of its band, and in pixels at most. */
const BAR_SHARE = 0.68
const BAR_MAX = 64
/** Between the parts of a stack, and the least height of a part, in pixels. */
const GAP = 0.75
const PART_MIN = 0.6

interface BarsProps extends SpendChartProps {
  drawing: Drawing
  /** Marks the present moment. */
  showNow: boolean
}

function Bars({ drawing: given, view, spend: { series, rows }, periods, showNow }: BarsProps) {
  const { t, zone, now, currency } = usePageContext()
  const { scale, ticks } = scaleOf(Math.max(...rows.map(sum)), given)
  const labels = amountLabels(ticks, currency)
  const drawing = withRoomFor(labels, given)
  const band = scaleBand<number>(periods.keys(), [drawing.left, drawing.right])
  const width = Math.min(band.bandwidth() * BAR_SHARE, BAR_MAX)
  const left = (index: number) => band(index)! + (band.bandwidth() - width) / 2
  const layers = stack<number[], number>()
    .keys(series.keys())
    .value((row, at) => row[at]!)
    .order(stackOrderNone)(rows)
  const at = periods.findIndex(({ start, end }) => start <= now && now < end)
  const { start = 0, end = 1 } = periods[at] ?? {}
  const now_x = pixels(band(at)! + (band.bandwidth() * (now - start)) / (end - start))
  return (
    <>
      <Axis
        drawing={drawing}
        lines={ticks.map((tick, index) => ({ y: scale(tick), label: labels[index]! }))}
        ticks={ticksOf(periods, view.by, band.bandwidth()).map(({ index, label }) => ({
          x: band(index)! + band.bandwidth() / 2,
          label,
        }))}
      />
      <Band first={drawing.left} step={band.bandwidth()} drawing={drawing} />
      {layers.map(layer => (
        <path
          key={layer.key}
          fill={colourOf(series[layer.key]!.colour)}
          d={layer.map(([low, high], index) => barPath(left(index), width, scale(low), scale(high))).join('')}
        />
      ))}
      {showNow && view.by === 'hour' && at >= 0 && at < periods.length - 1 && (
        <>
          <path className="now" d={`M${now_x} ${drawing.top}V${drawing.bottom}`} />
          <text {...besides(now_x, drawing)} y={drawing.top + 10}>
            {t('dashboard.now', { time: clock(now, zone).slice(0, 'hh:mm'.length) })}
          </text>
        </>
      )}
    </>
  )
}

const NOW_LABEL_PX = 80

/** Place of a label at the right of a line, or at its left near the edge. */
const besides = (x: number, { right }: Drawing) =>
  x + NOW_LABEL_PX < right ? { x: x + 6 } : { x: x - 6, textAnchor: 'end' as const }

function barPath(x: number, width: number, bottom: number, top: number): string {
  if (bottom === top) return ''
  const height = Math.max(bottom - top - GAP, PART_MIN)
  return `M${pixels(x)} ${pixels(bottom - GAP)}h${pixels(width)}v${-pixels(height)}h${-pixels(width)}z`
}

const SHORT_FROM = 10_000

/** Decimals of cents. */
const CENTS = 2

/** $0 · $0.002 · $0.10 · $30 · $12k, all with the same decimals. */
function amountLabels(quotas: number[], { display_in_currency, quota_per_unit }: Currency): string[] {
  if (!display_in_currency) return quotas.map(short)
  const amounts = quotas.map(quota => quota / quota_per_unit)
  const step = amounts[1]! - amounts[0]!
  const decimals = step >= 1 ? 0 : Math.max(Math.ceil(-Math.log10(step) - 1e-9), CENTS)
  return amounts.map(amount =>
    amount === 0
      ? `${MONEY_SIGN}0`
      : MONEY_SIGN + (amount >= SHORT_FROM ? short(amount) : amount.toFixed(Math.min(decimals, 6))),
  )
}
