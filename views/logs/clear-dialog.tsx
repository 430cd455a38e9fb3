/** Dialog that clears the usage log before a day, with the number of entries that go. */
import { Dialog } from '../../client/components/drawer.tsx'
import { ErrorText } from '../../client/components/field.tsx'
import { HiddenFields } from '../../client/components/filters.tsx'
import { ActionButton, PageLink, viewRequest } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { LOGS_PATH } from '../../src/contracts/log.ts'
import type { Translate } from '../../src/locales/index.ts'
import { grouped } from '../../src/pure/number.ts'
import { fieldsOf, type LogsView, logsAt } from './view.ts'

export interface ClearDialogProps {
  view: LogsView
  /** Such as `2026-10-22`, in the reader's zone. */
  day: string
  /** Entries before the day; undefined for an invalid day. */
  entries?: number
  error?: string
}

export function ClearDialog({ view, day, entries, error }: ClearDialogProps) {
  const { t } = usePageContext()
  const facts = (
    <>
      <DayForm view={view} day={day} error={error} />
      <p className="mt-4 mb-0" aria-live="polite">
        {entries !== undefined && countText(entries, day, t)}
      </p>
    </>
  )
  return (
    <Dialog title={t('log.clear_title')} close={logsAt(view)} facts={facts}>
      <PageLink href={logsAt(view)} className="btn btn-ghost" data-close>
        {t('ui.cancel')}
      </PageLink>
      {entries !== undefined && entries > 0 && (
        <ActionButton
          action={`${LOGS_PATH}/clear`}
          returnTo={logsAt(view)}
          name="day"
          value={day}
          className="btn btn-error"
        >
          {t('log.clear_do', { count: entries, number: grouped(entries) })}
        </ActionButton>
      )}
    </Dialog>
  )
}

const countText = (entries: number, day: string, t: Translate) =>
  entries ? t('log.clear_count', { count: entries, number: grouped(entries), day }) : t('log.clear_none', { day })

/** A new day is counted at once; without a script by its button. */
function DayForm({ view, day, error }: Pick<ClearDialogProps, 'view' | 'day' | 'error'>) {
  const { t } = usePageContext()
  return (
    <form method="get" action={LOGS_PATH} {...viewRequest(LOGS_PATH)} hx-trigger="change, submit" className="field">
      <HiddenFields of={fieldsOf(view)} />
      <label htmlFor="field-clear">{t('log.clear_before')}</label>
      <span className="flex gap-2">
        <input
          type="date"
          id="field-clear"
          name="clear"
          className={error ? 'input input-error' : 'input'}
          defaultValue={day}
          required
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'field-clear-error' : 'field-clear-help'}
        />
        <noscript>
          <button type="submit" className="btn">
            {t('log.clear_recount')}
          </button>
        </noscript>
      </span>
      {error && <ErrorText id="field-clear-error">{error}</ErrorText>}
      <p className="help" id="field-clear-help">
        {t('log.clear_help')}
      </p>
    </form>
  )
}
