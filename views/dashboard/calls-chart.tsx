/** Served and failed calls by period, as lines; to the period that runs they are dashed. */
import { scalePoint } from 'd3-scale'
import { line } from 'd3-shape'
import { usePageContext } from '../../client/components/page-context.tsx'
import { grouped, short } from '../../src/pure/number.ts'
import { Axis, type Drawing, pixels, scaleOf, withRoomFor } from './axis.tsx'
import { Band, Chart } from './chart.tsx'
import { isOneDay, shortName, startName, ticksOf } from './labels.ts'
import type { DashboardView, Period } from './view.ts'

const wide: Drawing = { width: 540, height: 200, left: 32, right: 462, top: 12, bottom: 172, letter: 7 }
const phone: Drawing = { width: 358, height: 190, left: 32, right: 280, top: 12, bottom: 162, letter: 7 }

const SERVED = 'var(--s1)'
const FAILED = 'var(--stop)'

interface CallsChartProps {
  view: DashboardView
  /** Those that have begun. */
  periods: Period[]
}

export function CallsChart({ view, periods }: CallsChartProps) {
  const { t } = usePageContext()
  const names = periods.map(period => shortName(period, view.by, isOneDay(view, periods)))
  const served = periods.reduce((sum, { calls }) => sum + calls, 0)
  const failed = periods.reduce((sum, period) => sum + period.failed, 0)
  return (
    <Chart
      title={t('dashboard.calls')}
      description={t('dashboard.calls_description', { served: grouped(served), failed: grouped(failed) })}
      series={[
        [SERVED, t('dashboard.served')],
        [FAILED, t('dashboard.failed')],
      ]}
      points={periods.map((period, index) => ({
        name: names[index]!,
        rows: [
          [0, grouped(period.calls)],
          [1, grouped(period.failed)],
        ],
      }))}
      wide={wide}
      half
      phone={phone}
    >
      {drawing => <Lines drawing={drawing} view={view} periods={periods} />}
    </Chart>
  )
}

/** Square of a last point, and the least distance of two labels, in pixels. */
const MARK = 7
const LABEL_PX = 16
/** A peak this close to an edge has no label. */
const PEAK_MARGIN_PX = 40

function Lines({ drawing: given, view, periods }: CallsChartProps & { drawing: Drawing }) {
  const { t, now } = usePageContext()
  const served = periods.map(({ calls }) => calls)
  const failed = periods.map(period => period.failed)
  const { scale, ticks } = scaleOf(Math.max(...served, ...failed), given, 'whole')
  const labels = ticks.map(short)
  const drawing = withRoomFor(labels, given)
  const point = scalePoint<number>(periods.keys(), [drawing.left, drawing.right])
  const x = (index: number) => point(index)!
  const path = line<number>(
    (_, index) => pixels(x(index)),
    count => pixels(scale(count)),
  )
  const last = periods.length - 1
  const at = (counts: number[], index: number) => `${pixels(x(index))} ${pixels(scale(counts[index]!))}`
  const isRunning = periods[last]!.end > now
  const [served_y, failed_y] = apart(scale(served[last]!), scale(failed[last]!))
  const peak = failed.reduce((highest, count, index) => (count > failed[highest]! ? index : highest), 0)
  const step = point.step() || drawing.right - drawing.left
  const showPeak =
    failed[peak]! > 0 && x(peak) > drawing.left + PEAK_MARGIN_PX && x(peak) < drawing.right - PEAK_MARGIN_PX
  return (
    <>
      <Axis
        drawing={drawing}
        lines={ticks.map((tick, index) => ({ y: scale(tick), label: labels[index]! }))}
        ticks={ticksOf(periods, view.by, step).map(({ index, label }) => ({ x: x(index), label }))}
      />
      <Band first={x(0) - step / 2} step={step} drawing={drawing} />
      {[
        { colour: SERVED, counts: served },
        { colour: FAILED, counts: failed },
      ].map(({ colour, counts }) => (
        <g key={colour} stroke={colour}>
          <path className="line" d={path(isRunning ? counts.slice(0, -1) : counts) ?? ''} />
          {isRunning && last > 0 && (
            <path className="line running" d={`M${at(counts, last - 1)}L${at(counts, last)}`} />
          )}
        </g>
      ))}
      <circle cx={pixels(x(last))} cy={pixels(scale(served[last]!))} r={MARK / 2} fill={SERVED} />
      <rect
        x={pixels(x(last) - MARK / 2)}
        y={pixels(scale(failed[last]!) - MARK / 2)}
        width={MARK}
        height={MARK}
        fill={FAILED}
      />
      <text className="label" x={drawing.right + 10} y={pixels(served_y + 4)}>
        {t('dashboard.last_served', { count: short(served[last]!) })}
      </text>
      <text className="label" x={drawing.right + 10} y={pixels(failed_y + 4)}>
        {t('dashboard.last_failed', { count: short(failed[last]!) })}
      </text>
      {showPeak && (
        <text x={pixels(x(peak))} y={pixels(scale(failed[peak]!) - 8)} textAnchor="middle">
          {t('dashboard.peak', {
            count: short(failed[peak]!),
            period: startName(periods[peak]!, view.by, isOneDay(view, periods)),
          })}
        </text>
      )}
    </>
  )
}

/** Moves two labels apart: the upper one up. */
function apart(served: number, failed: number): [number, number] {
  const lack = LABEL_PX - Math.abs(failed - served)
  if (lack <= 0) return [served, failed]
  return served <= failed ? [served - lack, failed] : [served, failed - lack]
}
