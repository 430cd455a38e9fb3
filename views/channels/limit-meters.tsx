/** How full the limits of a channel are: its own, then the fullest of its keys and models. */
import { usePageContext } from '../../client/components/page-context.tsx'
import type { LimitReading } from '../../src/contracts/channel-limits.ts'
import { grouped } from '../../src/pure/number.ts'

const SHOWN_MAX = 12
/** Share from which a limit is nearly used up. */
const HIGH = 0.85

const shareOf = ({ used, limit }: LimitReading) => Math.min(1, used / limit)

export function LimitMeters({ limits }: { limits: LimitReading[] }) {
  const { t } = usePageContext()
  const own = limits.filter(({ scope }) => scope === 'channel')
  const others = limits.filter(({ scope }) => scope !== 'channel').sort((one, other) => shareOf(other) - shareOf(one))
  const shown = [...own, ...others].slice(0, SHOWN_MAX)
  return (
    <>
      <ul className="report-list">
        {shown.map(reading => (
          <li key={`${reading.measure} ${reading.key} ${reading.model}`}>
            <span className="what">
              {t(`drawer.${reading.measure}`)}
              <small>
                {reading.key ? <code>{reading.key}</code> : t('drawer.limits_channel')}
                {reading.model && ` · ${reading.model}`}
              </small>
            </span>
            <Fullness of={reading} />
          </li>
        ))}
      </ul>
      {limits.length > SHOWN_MAX && (
        <p className="help">{t('report.more_limits', { count: limits.length - SHOWN_MAX })}</p>
      )}
    </>
  )
}

function Fullness({ of: reading }: { of: LimitReading }) {
  const { t } = usePageContext()
  const { used, limit, measure } = reading
  const share = shareOf(reading)
  const tone = share === 1 ? ' out' : share >= HIGH ? ' low' : ''
  return (
    <span className="limit-fullness">
      <span
        className={`meter${tone}`}
        role="meter"
        aria-label={t(`drawer.${measure}`)}
        aria-valuenow={Math.min(used, limit)}
        aria-valuemin={0}
        aria-valuemax={limit}
      >
        <i style={{ width: `${share * 100}%` }} />
      </span>
      <span className="number">{t('report.of_limit', { used: grouped(used), limit: grouped(limit) })}</span>
    </span>
  )
}
