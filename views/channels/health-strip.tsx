/** The last 24 hours of a channel: a bar an hour, by height and colour, and what they come to. */
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Outcomes } from '../../src/domain/channels/index.ts'
import { grouped } from '../../src/pure/number.ts'

/** From this share of successes on, an hour was good, or at least not lost. */
const GOOD = 0.98
const FAIR = 0.5

export function HealthStrip({ hours }: { hours: Outcomes[] }) {
  const { t } = usePageContext()
  const succeeded = hours.reduce((sum, hour) => sum + hour.succeeded, 0)
  const calls = hours.reduce((sum, hour) => sum + hour.succeeded + hour.failed, 0)
  const share = calls ? shareText(succeeded / calls) : '—'
  const words = calls ? t('channel.health', { share, calls: grouped(calls) }) : t('channel.health_none')
  return (
    <span className="inline-flex items-center gap-2" title={words}>
      <span className="health-strip" role="img" aria-label={words}>
        {hours.map((hour, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place in the strip
          <i key={index} className={toneOf(hour)} />
        ))}
      </span>
      <span className="number ink-2 inline-block min-w-11 max-[52rem]:hidden" aria-hidden="true">
        {share}
      </span>
    </span>
  )
}

function toneOf({ succeeded, failed }: Outcomes): string | undefined {
  const calls = succeeded + failed
  if (!calls) return 'idle'
  const share = succeeded / calls
  if (share >= GOOD) return undefined
  return share >= FAIR ? 'degraded' : 'failing'
}

/** 99.2%; only what is whole is 100%. */
const shareText = (share: number) => `${(Math.floor(share * 1000) / 10).toFixed(1).replace(/^100\.0$/, '100')}%`
