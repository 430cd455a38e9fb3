/** Figures of the errors view; its money would always be 0. A reason filters the list, and once more shows all. */
import { Chip, Chips } from '../../client/components/badge.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { LogFailures, LogStat } from '../../src/contracts/log.ts'
import { grouped, short } from '../../src/pure/number.ts'
import { type LogsView, logsAt } from './view.ts'

interface FailuresProps {
  failures: LogFailures & { calls: number }
  stat: LogStat
  view: LogsView
}

export function Failures({ failures: { failed, reasons, calls }, stat: { rpm }, view }: FailuresProps) {
  const { t } = usePageContext()
  const chosen = view.status_code?.toString()
  const isListed = chosen === undefined || reasons.some(({ reason }) => reason === chosen)
  const shown = isListed ? reasons : [...reasons, { reason: chosen, failed: 0 }]
  return (
    <Chips>
      <Chip label={t('log.failed')} value={short(failed)} />
      <Chip label={t('log.failed_share')} value={share(failed, failed + calls)} />
      <Chip label={t('log.rpm')} value={short(rpm)} />
      {shown.length > 0 && (
        <Chip
          label={t('log.failed_reasons')}
          value={
            <span className="failed-reasons">
              {shown.map(one => (
                <Reason key={one.reason} {...one} view={view} isChosen={one.reason === chosen} />
              ))}
            </span>
          }
        />
      )}
    </Chips>
  )
}

/** For example `2.6%`. */
const share = (part: number, total: number) => `${total ? ((part / total) * 100).toFixed(1) : '0.0'}%`

type ReasonProps = LogFailures['reasons'][number] & { view: LogsView; isChosen: boolean }

/** The list is filtered by statuses alone; other reasons are from entries without one. */
function Reason({ reason, failed, view, isChosen }: ReasonProps) {
  const { t } = usePageContext()
  const text = `${reason || t('log.no_reason')}${failed ? ` ×${grouped(failed)}` : ''}`
  if (!/^\d+$/.test(reason)) return <span>{text}</span>
  return (
    <PageLink
      href={logsAt({ ...view, page: 1, status_code: isChosen ? undefined : Number(reason) })}
      aria-current={isChosen ? 'true' : undefined}
      title={t(isChosen ? 'log.all_reasons' : 'log.only_reason', { reason })}
    >
      {text}
    </PageLink>
  )
}
