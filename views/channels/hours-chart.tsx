/** Served and failed calls of a channel by hour or day, as bars on one another. */
import { usePageContext } from '../../client/components/page-context.tsx'
import { grouped, short } from '../../src/pure/number.ts'
import type { Grain } from '../../src/pure/periods.ts'
import { Axis, type Drawing, pixels, scaleOf, withRoomFor } from '../dashboard/axis.tsx'
import { Band, Chart } from '../dashboard/chart.tsx'
import { shortName, ticksOf } from '../dashboard/labels.ts'
import type { Period } from '../dashboard/view.ts'

const wide: Drawing = { width: 540, height: 200, left: 24, right: 540, top: 12, bottom: 172, letter: 7 }
const phone: Drawing = { width: 358, height: 190, left: 24, right: 358, top: 12, bottom: 162, letter: 7 }

const whole: Drawing = { width: 1120, height: 220, left: 24, right: 1120, top: 12, bottom: 192, letter: 7 }

const SERVED = 'var(--s1)'
const FAILED = 'var(--stop)'

interface HoursProps {
  periods: Period[]
  grain?: Grain
  /** As wide as the page, not half of it. */
  isWide?: boolean
}

export function HoursChart({ periods, grain = 'hour', isWide = false }: HoursProps) {
  const { t } = usePageContext()
  const served = periods.reduce((sum, { calls }) => sum + calls, 0)
  const failed = periods.reduce((sum, period) => sum + period.failed, 0)
  const series: [string, string][] = [
    [SERVED, t('dashboard.served')],
    [FAILED, t('dashboard.failed')],
  ]
  return (
    <>
      <ul className="legend">
        {series.map(([colour, name]) => (
          <li key={name}>
            <i className="swatch" style={{ background: colour }} />
            {name}
          </li>
        ))}
      </ul>
      <Chart
        title={t('dashboard.calls')}
        description={t('dashboard.calls_description', { served: grouped(served), failed: grouped(failed) })}
        series={series}
        points={periods.map(period => ({
          name: shortName(period, grain, false),
          rows: [
            [0, grouped(period.calls)],
            [1, grouped(period.failed)],
          ],
        }))}
        wide={isWide ? whole : wide}
        half={!isWide}
        phone={phone}
      >
        {drawing => <Bars drawing={drawing} periods={periods} grain={grain} />}
      </Chart>
    </>
  )
}

/** Between two bars, in pixels. */
const GAP = 0.6

function Bars({ drawing: given, periods, grain }: { drawing: Drawing; periods: Period[]; grain: Grain }) {
  const { scale, ticks } = scaleOf(Math.max(...periods.map(({ calls, failed }) => calls + failed)), given)
  const counts = ticks.filter(Number.isInteger)
  const drawing = withRoomFor(counts.map(short), given)
  const step = (drawing.right - drawing.left) / periods.length
  const x = (index: number) => drawing.left + index * step
  const bar = (index: number, from: number, to: number) =>
    to > from
      ? `M${pixels(x(index))} ${pixels(scale(from))}V${pixels(scale(to))}h${pixels(step - GAP)}V${pixels(scale(from))}z`
      : ''
  return (
    <>
      <Axis
        drawing={drawing}
        lines={counts.map(tick => ({ y: scale(tick), label: short(tick) }))}
        ticks={ticksOf(periods, grain, step)
          .map(({ index, label }) => ({ x: x(index), label }))
          .filter(tick => tick.x > drawing.left + EDGE_PX && tick.x < drawing.right - EDGE_PX)}
      />
      <Band first={drawing.left} step={step} drawing={drawing} />
      <path fill={SERVED} d={periods.map(({ calls }, index) => bar(index, 0, calls)).join('')} />
      <path fill={FAILED} d={periods.map(({ calls, failed }, index) => bar(index, calls, calls + failed)).join('')} />
    </>
  )
}

/** A label this close to an edge would leave the drawing. */
const EDGE_PX = 18
