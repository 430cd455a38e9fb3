/** Success rate of a channel in the last 24 hours: a bar for each hour, and the total. */
import { HealthBars } from '../../client/components/health-bars.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type Outcomes, shareText } from '../../src/contracts/availability.ts'
import { grouped } from '../../src/pure/number.ts'

export function HealthStrip({ hours }: { hours: Outcomes[] }) {
  const { t } = usePageContext()
  const succeeded = hours.reduce((sum, hour) => sum + hour.succeeded, 0)
  const calls = hours.reduce((sum, hour) => sum + hour.succeeded + hour.failed, 0)
  const share = calls ? shareText(succeeded / calls) : '—'
  const label = calls ? t('channel.health', { share, calls: grouped(calls) }) : t('channel.health_none')
  return (
    <span className="inline-flex items-center gap-1" title={label}>
      <HealthBars spans={hours} label={label} />
      <span className="number ink-2 inline-block min-w-11 max-[52rem]:hidden" aria-hidden="true">
        {share}
      </span>
    </span>
  )
}
