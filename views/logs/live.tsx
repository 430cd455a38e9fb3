/** The switch that announces new entries of the usage log, and the announcement: rows move only when it is clicked. */
import ArrowUp from 'lucide/dist/esm/icons/arrow-up.mjs'
import Radio from 'lucide/dist/esm/icons/radio.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { ActionButton, PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { NEW_LOGS_MAX } from '../../src/contracts/log.ts'
import { type LogsView, logsAt, newAt } from './view.ts'

export function LiveSwitch({ isOn, view }: { isOn: boolean; view: LogsView }) {
  const { t } = usePageContext()
  return (
    <ActionButton
      action="/preferences"
      returnTo={logsAt(view)}
      name="log-live"
      value={String(!isOn)}
      className="btn live-switch script-only max-sm:!px-3"
      aria-label={t('log.live')}
      aria-pressed={isOn}
      title={t('log.live_help')}
    >
      <Icon of={Radio} />
      <span className="wide-only">{t('log.live')}</span>
    </ActionButton>
  )
}

const POLL = 'every 5s, visibilitychange from:document'

interface NewEntriesProps {
  view: LogsView
  /** Id of the newest entry when the page was shown. */
  newest: number
  count?: number
}

/** Polls until there are more than are counted. Any other request comes first: it shows the new entries itself. */
export function NewEntries({ view, newest, count = 0 }: NewEntriesProps) {
  const { t } = usePageContext()
  const isCapped = count > NEW_LOGS_MAX
  const polling = {
    'hx-get': newAt(view, newest),
    'hx-trigger': POLL,
    'hx-swap': 'outerMorph',
    'hx-sync': '#main:abort',
  }
  const number = isCapped ? `${NEW_LOGS_MAX}+` : String(count)
  return (
    <div id="log-new" className="log-new script-only" role="status" {...(isCapped ? {} : polling)}>
      {count > 0 && (
        <PageLink className="btn btn-primary" href={logsAt({ ...view, page: 1 })}>
          <Icon of={ArrowUp} small />
          {t('log.new_entries', { number })}
        </PageLink>
      )}
    </div>
  )
}
