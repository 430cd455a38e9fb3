/** What a call cost that was just sent from the drawer of a key: asks again until the usage log has it. */
import { usePageContext } from '../../client/components/page-context.tsx'
import { Bill } from '../logs/bill.tsx'
import type { LogEntryView } from '../logs/entry.ts'
import { callAt } from './view.ts'

const TRIES_MAX = 10

/** @param tries how often the log was asked without finding the call */
export function SentCall({ entry, request_id, tries }: { entry?: LogEntryView; request_id: string; tries: number }) {
  const { t } = usePageContext()
  if (entry) return <Bill entry={entry} />
  if (tries >= TRIES_MAX) return <p className="help">{t('snippet.no_receipt')}</p>
  return (
    <p className="help" hx-get={callAt(request_id, tries + 1)} hx-trigger="load delay:1s" hx-swap="outerHTML">
      {t('snippet.waiting')}
    </p>
  )
}
