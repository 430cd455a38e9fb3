/** States, tags, flags, dots, meters and chips. Colour always comes with a shape or a word. */
import type { ReactNode } from 'react'
import { type Pace, ratioColour } from '../../src/pure/severity.ts'
import { usePageContext } from './page-context.tsx'

/** How the sign of a state looks: a raised arm, half way, down, or none for a plain fact. */
export type StateTone = 'open' | 'limited' | 'stopped' | 'fact'

export const State = ({ tone, more, children }: { tone: StateTone; more?: ReactNode; children: ReactNode }) => (
  <>
    <span className={tone === 'fact' ? 'state' : `state ${tone}`}>{children}</span>
    {more && <span className="more">{more}</span>}
  </>
)

/** Group with its ratio. */
export const Tag = ({ name, ratio }: { name: string; ratio?: number }) => (
  <span className={ratio === undefined ? 'tag' : `tag ${ratioColour(ratio)}`}>
    {name} {ratio !== undefined && <b>×{ratio}</b>}
  </span>
)

/** Fact in one word, such as `stream` or `retry 1`. */
export const Flag = ({ tone, children }: { tone?: 'warning' | 'error'; children: ReactNode }) => (
  <span className={tone ? `flag ${tone}` : 'flag'}>{children}</span>
)

/** Figure with a shape for speed or health. */
export const Dot = ({ pace, children }: { pace: Pace; children: ReactNode }) => (
  <span className={`dot ${pace}`}>{children}</span>
)

const LOW = 0.15

/** Bar of the remaining quota. */
export function Meter({ name, left, total }: { name: string; left: number; total: number }) {
  const { t } = usePageContext()
  const share = total > 0 ? Math.min(Math.max(left / total, 0), 1) : 0
  const tone = share === 0 ? ' out' : share < LOW ? ' low' : ''
  return (
    <span
      className={`meter${tone}`}
      role="meter"
      aria-label={t('ui.quota_left', { name })}
      aria-valuenow={Math.max(left, 0)}
      aria-valuemin={0}
      aria-valuemax={total}
    >
      <i style={{ width: `${share * 100}%` }} />
    </span>
  )
}

/** Row of figures. */
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
