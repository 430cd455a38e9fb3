/** Axes of a chart. */
import { scaleLinear } from 'd3-scale'
import type { ReactNode } from 'react'

/** A drawing in pixels: charts are drawn anew for phones, never scaled. */
export interface Drawing {
  width: number
  height: number
  /** Edges of the plot. */
  left: number
  right: number
  top: number
  bottom: number
  /** Width of a letter; a drawing that shrinks on tablets has larger ones there. */
  letter: number
}

const TICKS = 3
const LABEL_GAP_PX = 8

/** The scale of a figure from 0, with a few round ticks; those of counts are whole. */
export function scaleOf(max: number, { top, bottom }: Drawing, figures: 'amounts' | 'whole' = 'amounts') {
  const scale = scaleLinear()
    .domain([0, max || 1])
    .nice(TICKS)
    .range([bottom, top])
  const ticks = scale.ticks(TICKS)
  return { scale, ticks: figures === 'whole' ? ticks.filter(Number.isInteger) : ticks }
}

/** Makes room at the left for the longest label. */
export function withRoomFor(labels: string[], drawing: Drawing): Drawing {
  const longest = Math.max(...labels.map(label => label.length))
  return { ...drawing, left: Math.max(drawing.left, longest * drawing.letter + LABEL_GAP_PX) }
}

interface AxisProps {
  drawing: Drawing
  /** From 0 upwards. */
  lines: { y: number; label: string }[]
  /** Below the plot. */
  ticks: { x: number; label: string }[]
  children?: ReactNode
}

export const Axis = ({ drawing: { left, right, height }, lines, ticks }: AxisProps) => (
  <>
    {lines.map(({ y, label }, index) => (
      <g key={label}>
        <path className={index ? 'grid-line' : 'axis'} d={`M${left} ${Math.round(y) + 0.5}H${right}`} />
        <text x={left - LABEL_GAP_PX} y={y + 4} textAnchor="end">
          {label}
        </text>
      </g>
    ))}
    {ticks.map(({ x, label }) => (
      <text key={`${x} ${label}`} x={pixels(x)} y={height - 8} textAnchor="middle">
        {label}
      </text>
    ))}
  </>
)

/** One decimal keeps drawings small. */
export const pixels = (value: number): number => Math.round(value * 10) / 10
