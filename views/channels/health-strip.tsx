/** Success rate of a channel in the last 24 hours: a bar for each hour, and the total. */
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Outcomes } from '../../src/domain/channels/index.ts'
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
    <span className="inline-flex items-center gap-2" title={label}>
      <span className="health-strip" role="img" aria-label={label}>
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

/** For example `99.2%`; rounds down, so only a full rate is `100%`. */
const shareText = (share: number) => `${(Math.floor(share * 1000) / 10).toFixed(1).replace(/^100\.0$/, '100')}%`
