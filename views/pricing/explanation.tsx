/** Drawing of how ratios make a price: tokens pass their ratios, then those of the model and the group. */
import { usePageContext } from '../../client/components/page-context.tsx'
import { moneyText } from '../../src/billing/quota.ts'
import { grouped } from '../../src/pure/number.ts'

/** The example that is drawn. */
const lanes = [
  { bucket: 'input', tokens: 800, ratio: 1, sum: 800 },
  { bucket: 'cache_read', tokens: 200, ratio: 0.5, sum: 100 },
  { bucket: 'output', tokens: 500, ratio: 4, sum: 2000 },
] as const
const MODEL_RATIO = 1.25
const GROUP_RATIO = 0.8
const QUOTA = 2900

export const Explanation = () => (
  <figure className="m-0">
    <Wide />
    <Tall />
  </figure>
)

const WIDE_LANE = 64
const wideY = (lane: number) => 30 + lane * WIDE_LANE

function Wide() {
  const { t } = usePageContext()
  return (
    <svg className="ratio-drawing max-sm:hidden" viewBox="0 0 790 200" role="img" aria-label={t('pricing.drawing')}>
      {lanes.map((lane, index) => (
        <g key={lane.bucket}>
          <path className="lane" d={`M150 ${wideY(index)}H330L400 ${wideY(1)}`} />
          <Slip
            x={0}
            y={wideY(index) - 20}
            width={150}
            label={t(`bill.${lane.bucket}`)}
            figure={grouped(lane.tokens)}
          />
          <Plate x={215} y={wideY(index)} text={`× ${lane.ratio}`} />
          <text x={318} y={wideY(index) - 8} textAnchor="end" className="faint">
            {grouped(lane.sum)}
          </text>
        </g>
      ))}
      <path className="lane" d={`M400 ${wideY(1)}H650`} />
      <Gate x={440} y={wideY(1)} label={t('pricing.model')} text={`× ${MODEL_RATIO}`} />
      <Gate x={550} y={wideY(1)} label={t('pricing.group')} text={`× ${GROUP_RATIO}`} />
      <Total x={650} y={wideY(1) - 34} />
    </svg>
  )
}

const TALL_LANE = 52
const tallY = (lane: number) => 26 + lane * TALL_LANE

function Tall() {
  const { t } = usePageContext()
  return (
    <svg className="ratio-drawing sm:hidden" viewBox="0 0 340 345" role="img" aria-label={t('pricing.drawing')}>
      {lanes.map((lane, index) => (
        <g key={lane.bucket}>
          <path className="lane" d={`M140 ${tallY(index)}H300V190`} />
          <Slip
            x={0}
            y={tallY(index) - 20}
            width={140}
            label={t(`bill.${lane.bucket}`)}
            figure={grouped(lane.tokens)}
          />
          <Plate x={166} y={tallY(index)} text={`× ${lane.ratio}`} />
          <text x={290} y={tallY(index) - 7} textAnchor="end" className="faint">
            {grouped(lane.sum)}
          </text>
        </g>
      ))}
      <path className="lane" d="M300 190V226H.5" />
      <Gate x={214} y={226} label={t('pricing.model')} text={`× ${MODEL_RATIO}`} />
      <Gate x={118} y={226} label={t('pricing.group')} text={`× ${GROUP_RATIO}`} />
      <path className="lane" d="M.5 226V310H100" />
      <Total x={100} y={276} />
    </svg>
  )
}

/** Tokens of one kind. */
const Slip = ({
  x,
  y,
  width,
  label,
  figure,
}: Record<'x' | 'y' | 'width', number> & Record<'label' | 'figure', string>) => (
  <>
    <rect className="paper" x={x + 0.5} y={y + 0.5} width={width - 1} height="39" rx="6" />
    <text x={x + 12} y={y + 25}>
      {label}
    </text>
    <text x={x + width - 12} y={y + 25} textAnchor="end">
      {figure}
    </text>
  </>
)

/** Ratio of a kind of token. */
const Plate = ({ x, y, text }: { x: number; y: number; text: string }) => (
  <>
    <rect className="plate" x={x} y={y - 13} width="52" height="26" rx="4" />
    <text x={x + 26} y={y + 4} textAnchor="middle">
      {text}
    </text>
  </>
)

/** Ratio that every kind of token passes. */
const Gate = ({ x, y, label, text }: { x: number; y: number; label: string; text: string }) => (
  <>
    <rect className="post" x={x - 6} y={y - 26} width="66" height="40" rx="4" />
    <text x={x + 27} y={y - 1} textAnchor="middle" className="on-post">
      {text}
    </text>
    <text x={x + 27} y={y + 31} textAnchor="middle" className="faint">
      {label}
    </text>
  </>
)

function Total({ x, y }: { x: number; y: number }) {
  const { t, currency } = usePageContext()
  return (
    <>
      <rect className="paper" x={x + 0.5} y={y + 0.5} width="139" height="67" rx="6" />
      <text x={x + 70} y={y + 29} textAnchor="middle">
        {t('ui.quota', { count: grouped(QUOTA) })}
      </text>
      <text x={x + 70} y={y + 51} textAnchor="middle" fontWeight="600">
        {moneyText(QUOTA / currency.quota_per_unit, 2, 6)}
      </text>
    </>
  )
}
