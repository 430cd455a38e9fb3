/** The pulse of the log: a bar of cost for each hour or longer span, the failed share in red; a bar links to its span. */

import { viewRequest } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { balanceText } from '../../src/billing/quota.ts'
import type { PulseBar } from '../../src/contracts/log.ts'
import { grouped } from '../../src/pure/number.ts'
import { exact } from '../../src/pure/time.ts'
import { type LogsView, logsAt } from './view.ts'

const HEIGHT = 56
const BAR_WIDTH = 10
const GAP = 2
/** The width has room for so many bars at least: fewer keep their shape. */
const BARS_MIN = 24
/** A span with calls or failures is never invisible. */
const LEAST = 2

export function Pulse({ bars, view }: { bars: PulseBar[]; view: LogsView }) {
  const { t, currency } = usePageContext()
  const most = Math.max(...bars.map(({ quota }) => quota))
  const total = bars.reduce((sum, { quota }) => sum + quota, 0)
  const cost = balanceText(total, currency)
  const areKnown = bars.every(bar => bar.failed !== undefined)
  const failed = bars.reduce((sum, bar) => sum + (bar.failed ?? 0), 0)
  const label = areKnown ? t('log.pulse', { cost, failed: grouped(failed) }) : t('log.pulse_cost', { cost })
  return (
    <svg
      className="pulse"
      viewBox={`0 0 ${Math.max(bars.length, BARS_MIN) * BAR_WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="group"
      aria-label={label}
    >
      {bars.map((bar, index) => (
        <Bar key={bar.from} bar={bar} most={most} x={index * BAR_WIDTH} view={view} />
      ))}
    </svg>
  )
}

interface BarProps {
  bar: PulseBar
  /** Quota of the highest bar. */
  most: number
  x: number
  view: LogsView
}

function Bar({ bar, most, x, view }: BarProps) {
  const { t, currency, zone } = usePageContext()
  const { from, until, quota, calls, failed } = bar
  const typed = (at: number) => exact(at, zone).slice(0, 'yyyy-mm-dd hh:mm'.length)
  const href = logsAt({ ...view, page: 1, range: 'custom', from: fieldOf(typed(from)), to: fieldOf(typed(until - 1)) })
  const words = t(failed === undefined ? 'log.pulse_bar_cost' : 'log.pulse_bar', {
    from: typed(from),
    to: typed(until).slice('yyyy-mm-dd '.length),
    cost: balanceText(quota, currency),
    calls: grouped(calls),
    failed: grouped(failed ?? 0),
  })
  const attempts = calls + (failed ?? 0)
  const height = attempts ? Math.max(LEAST, (quota / (most || 1)) * HEIGHT) : 0
  const red = failed ? Math.max(LEAST, (height * failed) / attempts) : 0
  const width = BAR_WIDTH - GAP
  return (
    // Not a tab stop: the same spans can be chosen by the filter.
    <a href={href} {...viewRequest(href)} aria-label={words} tabIndex={-1}>
      <title>{words}</title>
      <rect className="ground" x={x} y={0} width={BAR_WIDTH} height={HEIGHT} />
      <rect className="cost" x={x} y={HEIGHT - height} width={width} height={height} />
      <rect className="failed" x={x} y={HEIGHT - red} width={width} height={red} />
    </a>
  )
}

/** As a `datetime-local` field holds it. */
const fieldOf = (text: string) => text.replace(' ', 'T')
