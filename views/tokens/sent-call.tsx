/** What a call cost that a page has just sent: asks again until the usage log has it. */
import { usePageContext } from '../../client/components/page-context.tsx'
import { Bill } from '../logs/bill.tsx'
import type { LogEntryView } from '../logs/entry.ts'

const TRIES_MAX = 10

interface SentCallProps {
  entry?: LogEntryView
  /** Address of the receipts of a page. */
  path: string
  request_id: string
  /** How often the log was asked without finding the call. */
  tries: number
}

export function SentCall({ entry, path, request_id, tries }: SentCallProps) {
  const { t } = usePageContext()
  if (entry) return <Bill entry={entry} />
  if (tries >= TRIES_MAX) return <p className="help">{t('snippet.no_receipt')}</p>
  const again = `${path}/${request_id}?tries=${tries + 1}`
  return (
    <p className="help" hx-get={again} hx-trigger="load delay:1s" hx-swap="outerHTML">
      {t('snippet.waiting')}
    </p>
  )
}
