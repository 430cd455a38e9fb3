/** Filters that the reader keeps: links that apply them, and the way to keep the present one. */
import BookmarkPlus from 'lucide/dist/esm/icons/bookmark-plus.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import { Drawer } from '../../client/components/drawer.tsx'
import { TextField } from '../../client/components/field.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { ActionButton, PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { LOGS_PATH, type SavedFilter } from '../../src/contracts/log.ts'
import { filterCount, type LogsView, logsAt, queryOf } from './view.ts'

interface SavedFiltersProps {
  filters: SavedFilter[]
  view: LogsView
}

export function SavedFilters({ filters, view }: SavedFiltersProps) {
  const { t } = usePageContext()
  const current = queryOf(view)
  const isKept = filters.some(({ query }) => query === current)
  const mayKeep = filterCount(view) > 0 && !isKept
  if (!filters.length && !mayKeep) return null
  return (
    <nav className="flex flex-wrap items-center gap-2 mb-3" aria-label={t('log.filters_saved')}>
      {filters.map(({ id, name, query }) => (
        <span key={id} className={query === current ? 'saved-filter current' : 'saved-filter'}>
          <PageLink href={`${LOGS_PATH}?${query}`} aria-current={query === current ? 'true' : undefined}>
            {name}
          </PageLink>
          <ActionButton
            action={`${LOGS_PATH}/filters/${id}/delete`}
            returnTo={logsAt(view)}
            className="icon-button"
            aria-label={t('log.filter_delete', { name })}
          >
            <Icon of={X} small />
          </ActionButton>
        </span>
      ))}
      {mayKeep && (
        <PageLink href={logsAt(view, 'keep')} className="btn btn-ghost btn-sm">
          <Icon of={BookmarkPlus} small />
          {t('log.filter_keep')}
        </PageLink>
      )}
    </nav>
  )
}

interface KeepFilterProps {
  view: LogsView
  /** As it was typed. */
  name?: string
  errors?: Record<string, string>
}

/** Names the present filter. */
export function KeepFilter({ view, name = '', errors }: KeepFilterProps) {
  const { t } = usePageContext()
  return (
    <Drawer
      title={t('log.filter_keep')}
      close={logsAt(view)}
      action={`${LOGS_PATH}/filters`}
      returnTo={logsAt(view)}
      submit={t('ui.save')}
      values={{ name }}
      errors={errors}
    >
      <input type="hidden" name="query" value={queryOf(view)} />
      <TextField
        name="name"
        label={t('log.filter_name')}
        help={t('log.filter_name_help')}
        required
        autoComplete="off"
        autoFocus
      />
    </Drawer>
  )
}
