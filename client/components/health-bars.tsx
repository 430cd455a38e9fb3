/** Bars of equal spans, one for each: how many attempts succeeded. Height says it as well as colour. */
import { type Health, healthOf, type Outcomes } from '../../src/contracts/availability.ts'

const BAR = 4
const STEP = BAR + 1
const HEIGHT = 16

const heights: [Health, number][] = [
  ['good', HEIGHT],
  ['degraded', 10],
  ['failing', 5],
  ['idle', 2],
]

interface HealthBarsProps {
  spans: readonly Outcomes[]
  label: string
  /** Tooltip of a bar that is not good. */
  titleOf?: (index: number) => string
  /** Fills the width in place of keeping its proportions. */
  wide?: boolean
}

export function HealthBars({ spans, label, titleOf, wide }: HealthBarsProps) {
  const found = spans.map(healthOf)
  return (
    <svg
      className={wide ? 'health-strip wide' : 'health-strip'}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${spans.length * STEP - 1} ${HEIGHT}`}
      preserveAspectRatio={wide ? 'none' : undefined}
    >
      {heights.map(([health, height]) => {
        const at = found.flatMap((one, index) => (one === health ? [index] : []))
        if (titleOf && health !== 'good' && health !== 'idle')
          return at.map(index => (
            <path key={index} className={health} d={barAt(index, height)}>
              <title>{titleOf(index)}</title>
            </path>
          ))
        // As one path: a page has hundreds of them.
        return (
          at.length > 0 && <path key={health} className={health} d={at.map(index => barAt(index, height)).join('')} />
        )
      })}
    </svg>
  )
}

const barAt = (index: number, height: number) => `M${index * STEP} ${HEIGHT}v-${height}h${BAR}v${height}z`
