/** Cells of the usage log. */
import { Dot, Flag, State, Tag } from '../../client/components/badge.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { MONEY_SIGN } from '../../src/billing/quota.ts'
import type { LogEntry } from '../../src/contracts/log.ts'
import type { Pace } from '../../src/pure/severity.ts'
import { seconds } from '../../src/pure/time.ts'
import { ChannelName, KeyName } from '../layout/things.tsx'
import { isCall, isError, isGain, type LogEntryView, retriesOf } from './entry.ts'

/** Truncates to the cell on wide screens, to 10rem on tablets. */
export const truncated = 'inline-block truncate align-bottom max-w-40 min-[75rem]:max-w-full max-sm:max-w-52'

/** Links to the user's dialog. */
export const UserCell = ({ username, href }: LogEntry & { href: string }) => (
  <PageLink className={`hover:underline ${truncated}`} href={href}>
    {username}
  </PageLink>
)

/** Token and number of retries; the note of an entry that is no call. */
export function TokenCell({
  entry,
  showRetries,
  reader,
}: {
  entry: LogEntryView
  showRetries: boolean
  reader: number
}) {
  const { t } = usePageContext()
  const { token_name, content, details } = entry
  if (!isCall(entry)) return <Note>{content}</Note>
  const count = showRetries ? retriesOf(details) : 0
  return (
    <span className="flex items-center gap-1.5">
      {isError(entry) && (
        <span className={`sm:hidden ${truncated}`}>
          <ErrorReason {...entry} />
        </span>
      )}
      <KeyName
        id={entry.token_id}
        name={token_name}
        owner={entry.user_id === reader ? undefined : entry.user_id}
        className={isError(entry) ? `wide-only ${truncated}` : truncated}
      />
      {count > 0 && <Flag tone={isError(entry) ? 'error' : 'warning'}>{t('log.retried', { count })}</Flag>}
    </span>
  )
}

/** Overflows into the empty cells at its right without widening the column. */
const Note = ({ children }: { children: string }) => (
  <span className="sm:inline-block sm:w-0 sm:whitespace-nowrap">
    <span className="ink-2 inline-block truncate align-bottom max-w-60 min-[75rem]:max-w-md" title={children}>
      {children}
    </span>
  </span>
)

/** Error text in place of the token counts; overflows into the empty time cells. */
export const ErrorCell = (entry: LogEntryView) => (
  <span className="block w-0 min-w-full text-left">
    <span className="inline-block truncate align-bottom max-w-full min-[75rem]:max-w-64">
      <ErrorReason {...entry} />
    </span>
  </span>
)

/** Error text in a column of its own, on two lines at most. */
export const ErrorText = (entry: LogEntryView) => (
  <span className="line-clamp-2 min-w-48 py-1 whitespace-normal">
    <ErrorReason {...entry} />
  </span>
)

/** Administrators read the upstream's words, users what the client has got. */
function ErrorReason({ content, details }: LogEntryView) {
  const words = details.admin_info?.attempts?.at(-1)?.reason || content || details.error_type
  const reason = [details.status_code, words].filter(Boolean).join(' ')
  return (
    <State tone="stopped">
      <span title={reason}>{reason}</span>
    </State>
  )
}

/** Of a call: a note names its channel itself, and overflows into this cell. */
export const ChannelCell = (entry: LogEntry) =>
  isCall(entry) &&
  entry.channel > 0 && <ChannelName id={entry.channel} name={entry.channel_name} className={truncated} />

export const GroupCell = ({ group, details }: LogEntryView) =>
  group !== '' && (
    <span className={truncated}>
      <Tag name={group} ratio={details.group_ratio} />
    </span>
  )

interface DurationProps {
  ms: number | undefined
  paceOf: (seconds: number) => Pace
}

/** Seconds, with a dot when slow. */
export function Duration({ ms, paceOf }: DurationProps) {
  const { t } = usePageContext()
  if (ms === undefined || ms < 0) return <span className="ink-3">—</span>
  const text = t('time.seconds', { value: seconds(ms / 1000) })
  const pace = paceOf(ms / 1000)
  return pace === 'ok' ? text : <Dot pace={pace}>{text}</Dot>
}

export function CostCell(entry: LogEntry) {
  const { currency } = usePageContext()
  if (entry.quota) {
    return (
      <>
        {isGain(entry) && '+'}
        <Quota of={entry.quota} decimals={isGain(entry) ? 2 : 6} />
      </>
    )
  }
  return isCall(entry) && <span className="ink-3">{currency.display_in_currency ? `${MONEY_SIGN}0` : 0}</span>
}
