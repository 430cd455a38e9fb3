/** The small signs. Colour never speaks alone: an arm, a shape or a word says it too. */
import type { ReactNode } from 'react'
import { type Pace, ratioColour } from '../../src/pure/severity.ts'
import { usePageContext } from './page-context.tsx'

/** The arm: raised, half way, down, or none for a plain fact. Always with its word. */
export type Arm = 'open' | 'limited' | 'stopped' | 'fact'

export const State = ({ arm, more, children }: { arm: Arm; more?: ReactNode; children: ReactNode }) => (
  <>
    <span className={arm === 'fact' ? 'state' : `state ${arm}`}>{children}</span>
    {more && <span className="more">{more}</span>}
  </>
)

/** A group and its ratio. */
export const Tag = ({ name, ratio }: { name: string; ratio?: number }) => (
  <span className={ratio === undefined ? 'tag' : `tag ${ratioColour(ratio)}`}>
    {name} {ratio !== undefined && <b>×{ratio}</b>}
  </span>
)

/** A fact in a word: stream, mapped, retry 1. */
export const Flag = ({ tone, children }: { tone?: 'warning' | 'error'; children: ReactNode }) => (
  <span className={tone ? `flag ${tone}` : 'flag'}>{children}</span>
)

/** Speed or health by shape, with its figure. */
export const Dot = ({ pace, children }: { pace: Pace; children: ReactNode }) => (
  <span className={`dot ${pace}`}>{children}</span>
)

const LOW = 0.15

/** How much is left of a quota. */
export function Meter({ name, left, total }: { name: string; left: number; total: number }) {
  const { t } = usePageContext()
  const share = total > 0 ? Math.min(Math.max(left / total, 0), 1) : 0
  const tone = share === 0 ? ' out' : share < LOW ? ' low' : ''
  return (
    <span
      className={`meter${tone}`}
      role="meter"
      aria-label={t('part.quota_left', { name })}
      aria-valuenow={Math.max(left, 0)}
      aria-valuemin={0}
      aria-valuemax={total}
    >
      <i style={{ width: `${share * 100}%` }} />
    </span>
  )
}

/** Figures in a row, hairlines between. */
export const Chips = ({ children }: { children: ReactNode }) => <dl className="chips mb-5">{children}</dl>

export const Chip = ({ label, value, small }: { label: ReactNode; value: ReactNode; small?: ReactNode }) => (
  <div className="chip">
    <dt>{label}</dt>
    <dd>
      {value}
      {small && <small className="wide-only">{small}</small>}
    </dd>
  </div>
)
