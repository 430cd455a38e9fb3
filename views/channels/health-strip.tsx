/** Success rate of a channel in the last 24 hours: a bar for each hour, and the total. */
import { usePageContext } from '../../client/components/page-context.tsx'
import { HEALTH_HOURS } from '../../src/contracts/channel.ts'
import type { Outcomes } from '../../src/contracts/channel-list.ts'
import { grouped } from '../../src/pure/number.ts'

/** Success rates from which an hour counts as good, and as fair. */
const GOOD = 0.98
const FAIR = 0.5

export function HealthStrip({ hours }: { hours: Outcomes[] }) {
  const { t } = usePageContext()
  const succeeded = hours.reduce((sum, hour) => sum + hour.succeeded, 0)
  const calls = hours.reduce((sum, hour) => sum + hour.succeeded + hour.failed, 0)
  const share = calls ? shareText(succeeded / calls) : '—'
  const label = calls ? t('channel.health', { share, calls: grouped(calls) }) : t('channel.health_none')
  return (
    <span className="inline-flex items-center gap-1" title={label}>
      <svg className="health-strip" role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        {tones.map(([tone, height]) => {
          const bars = barsOf(hours, tone, height)
          return bars && <path key={tone} className={tone} d={bars} />
        })}
      </svg>
      <span className="number ink-2 inline-block min-w-11 max-[52rem]:hidden" aria-hidden="true">
        {share}
      </span>
    </span>
  )
}

const BAR = 4
const STEP = BAR + 1
const HEIGHT = 16
const WIDTH = HEALTH_HOURS * STEP - 1

type Tone = 'good' | 'degraded' | 'failing' | 'idle'

/** Heights of the bars: shape tells what colour does. */
const tones: [Tone, number][] = [
  ['good', HEIGHT],
  ['degraded', 10],
  ['failing', 5],
  ['idle', 2],
]

/** All bars of a tone as one path: a page has hundreds of them. */
const barsOf = (hours: Outcomes[], tone: Tone, height: number): string =>
  hours
    .map((hour, index) => (toneOf(hour) === tone ? `M${index * STEP} ${HEIGHT}v-${height}h${BAR}v${height}z` : ''))
    .join('')

function toneOf({ succeeded, failed }: Outcomes): Tone {
  const calls = succeeded + failed
  if (!calls) return 'idle'
  const share = succeeded / calls
  if (share >= GOOD) return 'good'
  return share >= FAIR ? 'degraded' : 'failing'
}

/** For example `99.2%`; rounds down, so only a full rate is `100%`. */
const shareText = (share: number) => `${(Math.floor(share * 1000) / 10).toFixed(1).replace(/^100\.0$/, '100')}%`
